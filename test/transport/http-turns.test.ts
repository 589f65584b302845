import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { listen } from '../../src/transport/listen.ts';
import { call, echo, networkOver, post } from './support.ts';

it('the HTTP requests of an account take turns with the messages of other accounts', async () => {
  const { service } = networkOver(echo);
  let turnsOfOther = 0;
  let isDone = false;
  const before: number[] = [];
  const read = service.rpc.read.bind(service.rpc);
  service.rpc.read = (bytes) => {
    before.push(turnsOfOther);
    return read(bytes);
  };
  const networks = [{ name: 'evm', service, hostNames: [] }];
  const listener = await listen({ networks }, { host: '127.0.0.1', port: 0 });
  service.turns.run('other', () => {
    turnsOfOther += 1;
    return isDone ? undefined : 'unfinished';
  });
  const client = connect(listener.port, '127.0.0.1');
  const batch = `[${call(1)},${call(2)}]`;
  client.write([post(batch), post(batch), post(call())].join(''));
  let received = '';
  while (received.split('HTTP/1.1 200').length <= 3) {
    const [data] = (await once(client, 'data')) as [Buffer];
    received += data.toString();
  }
  isDone = true;
  client.destroy();
  await listener.close(100);
  expect(before).toHaveLength(3);
  expect(new Set(before).size).toBe(3);
});
