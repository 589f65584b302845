import { describe, expect, it, onTestFinished } from 'vitest';
import { Cancellation, NEVER } from '../../src/time/cancellation.ts';
import { MessageTurns } from '../../src/time/message-turns.ts';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import { fakeClock } from './clock.ts';
import { nodeError, startFakeNode, type Behavior } from './fake-node.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { atHeight } from './probe-answer.ts';
import { callOf, limits, startNetwork, textOf } from './support.ts';

const options = {
  lag_blocks: 2,
  limits: { probe_interval_ms: 60_000 },
  cacheRules: { immutabilityOf: () => undefined, isShared: () => true, isValid: () => true },
} as const;

/** Answers reads as `behavior` does, once the gate is open, and other calls with null. */
function behind(gate: Promise<void>, behavior: Behavior): Behavior {
  return async (request, response) => {
    if (request.method !== 'eth_read') return 'null';
    await gate;
    return behavior(request, response);
  };
}

describe('a call that shares the call of another account', () => {
  it.each([
    [-32000, 'header not found'],
    [-32000, 'missing trie node 12'],
  ])('gets the result of the next node if the other caller left: %i %s', async (code, message) => {
    const gate = Promise.withResolvers<void>();
    const first = await startFakeNode(behind(gate.promise, nodeError(code, message)));
    const second = await startFakeNode(() => '"found"');
    const network = await startNetwork([first.url, second.url], {
      ...options,
      nodes: [{ tier: 1 }, { tier: 2 }],
    });
    const abandoned = new Cancellation();
    const left = network.call(callOf('eth_read', '[]', { account: 'a', abandoned }), NEVER);
    await expect.poll(() => first.requests).toHaveLength(1);
    const shared = network.call(callOf('eth_read', '[]', { account: 'b' }), NEVER);
    abandoned.abort();
    gate.resolve();
    await left;
    expect(textOf(await shared)).toBe('"found"');
  });

  it('does not get what a node behind answers to an account whose calls fail elsewhere', async () => {
    const gate = Promise.withResolvers<void>();
    const lagging = await startFakeNode(behind(gate.promise, () => 'null'));
    const ahead = await startFakeNode(({ method }, response) =>
      method === 'eth_fail' ? void response.writeHead(500).end() : '"found"',
    );
    lagging.answerProbes(atHeight(90));
    ahead.answerProbes(atHeight(100));
    const network = await startNetwork([lagging.url, ahead.url], {
      ...options,
      nodes: [{ weight: 100 }, {}],
    });
    const ask = async (method: string, account: string): Promise<string> =>
      textOf(await network.call(callOf(method, '[]', { account }), NEVER));
    for (let round = 0; round < 6; round += 1) await ask('eth_fail', 'a');
    const own = ask('eth_read', 'a');
    await expect.poll(() => lagging.requests.map(({ method }) => method)).toContain('eth_read');
    const shared = ask('eth_read', 'b');
    gate.resolve();
    expect(await own).toBe('null');
    expect(await shared).toBe('"found"');
  });

  it.each(['before', 'after'])(
    'does not wait behind the messages of that account, if sent %s the response has arrived',
    async (time) => {
      const gate = Promise.withResolvers<void>();
      const result = `"${'x'.repeat(20_000)}"`;
      const node = await startFakeNode(behind(gate.promise, () => result));
      let now_ms = 0;
      const turns = new MessageTurns(() => now_ms);
      const upstream = openUpstream({ url: node.url, headers: {} }, { limits, turns });
      onTestFinished(() => upstream.close());
      const { startTimer } = fakeClock();
      const nodes = [{ upstream }];
      const network = await startNetwork([node.url], { ...options, nodes, startTimer });
      const ask = async (account: string): Promise<string> =>
        textOf(await network.call(callOf('eth_read', '[]', { account }), NEVER));
      let isAnswered = false;
      // Its messages take a turn each, and new ones arrive as long as the other account waits.
      let handled = 0;
      const flood = (): undefined => {
        now_ms += 10;
        handled += 1;
        if (!isAnswered) turns.run('flood', flood);
      };
      let arrivedAfter = Infinity;
      const shared = Promise.withResolvers<string>();
      const { run } = turns;
      turns.run = (senders, work) => {
        run.call(turns, senders, work);
        if (work === flood) return;
        arrivedAfter = handled;
        if (time === 'after') shared.resolve(ask('other'));
      };
      const own = ask('flood');
      await expect.poll(() => node.requests.map(({ method }) => method)).toContain('eth_read');
      for (let count = 0; count < 10_000; count += 1) turns.run('flood', flood);
      if (time === 'before') shared.resolve(ask('other'));
      gate.resolve();
      expect(await shared.promise).toBe(result);
      isAnswered = true;
      expect(handled - arrivedAfter).toBeLessThan(10);
      expect(await own).toBe(result);
    },
  );

  it('does not wait on the connection of an account that fills it', async () => {
    const node = await startFakeSocketNode(() => '"ok"');
    // Without the timer of shared calls, a call that shares a waiting one would wait as long.
    const { startTimer } = fakeClock();
    const network = await startNetwork([node.url], { ...options, startTimer });
    const ask = async (account: string, method: string, params = '[]'): Promise<string> =>
      textOf(await network.call(callOf(method, params, { account }), NEVER));
    const [common] = node.sockets;
    common!.pause();
    const large = Array.from({ length: 4 }, (_, index) =>
      ask('greedy', 'eth_large', `["${index}${'x'.repeat(2_000_000)}"]`),
    );
    await expect.poll(() => node.sockets.size).toBe(2);
    common!.resume();
    await Promise.all(large);
    const [, own] = node.sockets;
    own!.pause();
    const waiting = ask('greedy', 'eth_read');
    expect(await ask('other', 'eth_read')).toBe('"ok"');
    own!.resume();
    expect(await waiting).toBe('"ok"');
  });
});
