import { expect, it } from 'vitest';
import { startFakeNode } from './fake-node.ts';
import { ask, openUpstream } from './support.ts';

it('takes a few informational responses of a node before the actual one', async () => {
  const responses = [16, 17, 5_000];
  const node = await startFakeNode((_, response) => {
    response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(responses.shift()!));
    return '"answer"';
  });
  const call = openUpstream(node.url);
  expect(await ask(call)).toMatchObject({ kind: 'result' });
  const failed = { cause: 'malformed', detail: 'too many informational responses' };
  expect(await ask(call)).toMatchObject(failed);
  expect(await ask(call)).toMatchObject(failed);
});
