import { describe, expect, it } from 'vitest';
import { request } from '../transport/support.ts';
import { startFakeSocketNode, type SocketBehavior } from '../upstream/fake-socket-node.ts';
import { configFor, start, withoutCache } from './support.ts';

const LARGE_BLOCK = '0x1a';
const large = `"${'x'.repeat(300_000)}"`;
const keys = { greedy: 'key-of-the-greedy-account', other: 'key-of-the-other-account' };

function bodyOf(block: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlock', params: [block, true] });
}

/** Answers when six calls are there, the large ones in between; ids behind the results. */
function answerTogether(): SocketBehavior {
  let waiting: (() => void)[] = [];
  return ({ id, method, params }, socket) => {
    if (method !== 'eth_getBlock') return undefined;
    const result = params[0] === LARGE_BLOCK ? large : '{"small":1}';
    waiting.push(() => socket.send(`{"jsonrpc":"2.0","result":${result},"id":${id}}`));
    if (waiting.length < 6) return undefined;
    for (const answer of waiting) answer();
    waiting = [];
    return undefined;
  };
}

describe('a result over a WebSocket upstream that is too large', () => {
  it('costs the account that asked for it, and neither another account nor a node', async () => {
    const first = await startFakeSocketNode(answerTogether());
    const second = await startFakeSocketNode(() => '{"second":1}');
    const settings = await configFor([first.url, second.url], {
      accounts: Object.entries(keys).map(([id, key]) => ({
        id,
        plan: 'free',
        keys: [{ key, allow: {} }],
      })),
      limits: { response_bytes: 100_000, lease_tick_ms: 20, probe_interval_ms: 100 },
    });
    const config = withoutCache(settings);
    const [network] = config.networks;
    const upstreams = network!.upstreams.map((upstream, index) => ({
      ...upstream,
      tier: index + 1,
    }));
    const gateway = await start({ ...config, networks: [{ ...network!, upstreams }] });
    const urlOf = (key: string): string => `${gateway.networks[0]!.http}/v3/${key}`;
    const ask = async (key: string, block: string): Promise<unknown> => {
      const { body } = await request(urlOf(key), { body: bodyOf(block) });
      return body;
    };
    const usedBy = async (key: string): Promise<number> => {
      const { body } = await request(`${urlOf(key)}/usage`, { method: 'GET' });
      return (body as { used: number }).used;
    };
    const small = { result: { small: 1 } };
    const refused = { error: { code: -32003, data: { reason: 'response_too_large' } } };

    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([
        ask(keys.other, '0x1'),
        ask(keys.greedy, LARGE_BLOCK),
        ask(keys.other, '0x2'),
        ask(keys.greedy, LARGE_BLOCK),
        ask(keys.other, '0x3'),
        ask(keys.greedy, '0x4'),
      ]);
      expect(answers).toMatchObject([small, refused, small, refused, small, small]);
    }
    // The shared connection stays open; the account with the large results gets one of its own.
    expect(first.handshakes).toHaveLength(2);
    expect(second.requests).toEqual([]);
    await expect.poll(() => usedBy(keys.other)).toBe(9 * 80);
    await expect.poll(() => usedBy(keys.greedy)).toBe(9 * 80);
    const metrics = await (await fetch(new URL('metrics', gateway.ops))).text();
    expect(metrics).toContain('outcome="response_too_large"} 6');
    expect(metrics).not.toMatch(/specgate_upstream_retries_total\{.*\} [1-9]/);
  });
});
