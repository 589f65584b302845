import { createConnection } from 'node:net';
import { describe, expect, it } from 'vitest';
import { BATCH_CALL_BYTES } from '../../src/rpc/message.ts';
import { ByteBudget } from '../../src/transport/byte-budget.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { eventually } from './eventually.ts';
import { call, connect, request, serveNetwork } from './support.ts';

describe('a byte budget', () => {
  it('refuses an account above its share, and counts nothing then', () => {
    const budget = new ByteBudget(() => ({ unsent_bytes: 1_000, unsent_account_bytes: 100 }));
    const first = budget.open('a');
    const second = budget.open('a');
    expect([first.add(60), second.add(60), second.add(40)]).toEqual([true, false, true]);
    expect(budget.bytes).toBe(100);
    first.release();
    first.release();
    expect([second.resize(100), budget.bytes]).toEqual([true, 100]);
    second.release();
    expect(budget.bytes).toBe(0);
  });

  it('leaves every account its equal share when all bytes are in use', () => {
    const budget = new ByteBudget(() => ({ unsent_bytes: 100, unsent_account_bytes: 100 }));
    expect(budget.open('a').add(100)).toBe(true);
    const other = budget.open('b');
    expect([other.add(50), other.add(1), budget.open('a').add(1)]).toEqual([true, false, false]);
  });
});

/** An upstream that answers once it is opened. */
function gated(): { readonly upstream: Upstream; readonly open: () => void } {
  const opened = Promise.withResolvers<void>();
  const upstream: Upstream = async () => {
    await opened.promise;
    return { kind: 'result', result: Buffer.from('1') };
  };
  return { upstream, open: opened.resolve };
}

const tooMany = {
  error: { data: { reason: 'too_many_calls_in_flight', scope: 'account' } },
};
const SIZE = 50_000;
const body = call().padEnd(SIZE);

describe('the request bytes of an account', () => {
  it('are bounded over HTTP while its calls are in flight', async () => {
    const { upstream, open } = gated();
    const network = await serveNetwork({ upstream, limits: { unsent_account_bytes: 120_000 } });
    const url = `${network.httpUrl}/v3/demo`;
    const accepted = [request(url, { body }), request(url, { body })];
    await eventually(() => network.service.heldBytes.bytes).toBe(2 * SIZE);
    const refused = await request(url, { body });
    expect([refused.status, refused.body]).toMatchObject([429, tooMany]);
    open();
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([200, 200]);
    expect(network.service.heldBytes.bytes).toBe(0);
    expect((await request(url, { body })).status).toBe(200);
  });

  it('count from their arrival, and no more once the caller hangs up', async () => {
    const network = await serveNetwork();
    const socket = createConnection(network.listener.port, '127.0.0.1');
    socket.write(
      'POST /v3/demo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n' +
        `content-length: ${SIZE}\r\n\r\n${' '.repeat(10_000)}`,
    );
    await eventually(() => network.service.heldBytes.bytes).toBe(10_000);
    socket.destroy();
    await eventually(() => network.service.heldBytes.bytes).toBe(0);
  });

  it('are bounded over WebSocket, with a refusal of each call above the bound', async () => {
    const { upstream, open } = gated();
    const limits = { unsent_account_bytes: 3 * SIZE - 1 };
    const network = await serveNetwork({ upstream, limits });
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    for (const id of [1, 2, 3]) {
      client.socket.send(call(id).padEnd(SIZE));
      if (id < 3) await eventually(() => network.service.heldBytes.bytes).toBe(id * SIZE);
    }
    expect(await client.next()).toMatchObject({ id: 3, ...tooMany });
    open();
    const answers = [await client.next(), await client.next()] as { id: number }[];
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      { id: 1, result: 1 },
      { id: 2, result: 1 },
    ]);
    expect(network.service.heldBytes.bytes).toBe(0);
  });
});

describe('a batch of small calls', () => {
  const calls = (count: number, one = call()): string => `[${Array(count).fill(one).join()}]`;

  it.each(['http', 'websocket'])('counts the memory of each call over %s', async (transport) => {
    const { upstream, open } = gated();
    const limits = { unsent_account_bytes: 30_000, socket_calls_in_flight: 1_000 };
    const network = await serveNetwork({ upstream, limits });
    const { heldBytes } = network.service;
    const client = await connect(`${network.wsUrl}/ws/v3/demo`);
    const send = async (body: string): Promise<unknown> => {
      if (transport === 'http') return (await request(`${network.httpUrl}/v3/demo`, { body })).body;
      client.socket.send(body);
      return client.next();
    };
    const accepted = send(calls(32));
    await eventually(() => heldBytes.bytes).toBe(calls(32).length + 32 * BATCH_CALL_BYTES);
    if (transport === 'http') expect(await send(calls(32))).toMatchObject([tooMany]);
    open();
    expect(await accepted).toHaveLength(32);
    if (transport === 'websocket') expect(await send(calls(100))).toMatchObject([tooMany]);
    await eventually(() => heldBytes.bytes).toBe(0);
  });

  it('counts large errors until all responses are ready', async () => {
    const { upstream, open } = gated();
    const network = await serveNetwork({ upstream });
    const { heldBytes } = network.service;
    const invalid = call('2'.repeat(1_000), 7);
    const body = `[${call()},${invalid}]`;
    const reply = request(`${network.httpUrl}/v3/demo`, { body });
    const other = body.length + 2 * BATCH_CALL_BYTES;
    await eventually(() => heldBytes.bytes > other).toBe(true);
    const error_bytes = heldBytes.bytes - other;
    open();
    const responses = (await reply).body as unknown[];
    expect(error_bytes).toBe(JSON.stringify(responses[1]).length);
  });
});

describe('responses of a batch that do not fit', () => {
  const result = Buffer.from(`"${'x'.repeat(SIZE)}"`);
  const upstream: Upstream = () => Promise.resolve({ kind: 'result', result });
  const batch = (ids: readonly number[]): string => `[${ids.map((id) => call(id)).join()}]`;

  it('into the share of the account are replaced by an error, and charged', async () => {
    const network = await serveNetwork({ upstream, limits: { unsent_account_bytes: 120_000 } });
    const { body: responses } = await request(`${network.httpUrl}/v3/demo`, {
      body: batch([1, 2, 3]),
    });
    expect(responses).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, ...tooMany }]);
    expect(await network.charged()).toBe(3 * 80);
    expect(network.service.heldBytes.bytes).toBe(0);
  });

  it('into the bytes of all accounts are replaced by an error, and not charged', async () => {
    const network = await serveNetwork({
      upstream,
      limits: { unsent_account_bytes: 200_000, unsent_bytes: 200_000 },
    });
    const other = network.service.heldBytes.open('other');
    other.add(80_000);
    const { body: responses } = await request(`${network.httpUrl}/v3/demo`, {
      body: batch([1, 2, 3]),
    });
    expect(responses).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, ...tooMany }]);
    expect(await network.charged()).toBe(2 * 80);
    other.release();
  });
});
