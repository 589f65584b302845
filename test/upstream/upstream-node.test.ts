import { describe, expect, it } from 'vitest';
import { fakeClock } from './clock.ts';
import { nodeError, startFakeNode, type Behavior } from './fake-node.ts';
import { startFakeSocketNode } from './fake-socket-node.ts';
import { probeAnswer } from './probe-answer.ts';
import { ask, callOf, openUpstream, startNetwork, textOf } from './support.ts';

const quiet = { probe_interval_ms: 60_000 };
const { signal } = new AbortController();

const answerWith =
  (status: number, body: string): Behavior =>
  (_request, response) =>
    void response.writeHead(status).end(body);

describe('the configuration of a node', () => {
  it('distributes calls by weight', async () => {
    const [small, large] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([small.url, large.url], {
      nodes: [{ weight: 1 }, { weight: 3 }],
    });
    for (let round = 0; round < 40; round += 1) await ask(network.call);
    expect([small.requests.length, large.requests.length]).toEqual([10, 30]);
  });

  it('uses the second tier only when the first is unavailable', async () => {
    const [own, rented] = [
      await startFakeNode(() => '"own"'),
      await startFakeNode(() => '"rented"'),
    ];
    const network = await startNetwork([rented.url, own.url], {
      nodes: [{ tier: 2 }, { tier: 1 }],
      limits: { ...quiet, upstream_calls_in_flight: 1, upstream_calls_queued: 1 },
    });
    for (let round = 0; round < 5; round += 1) {
      expect(textOf(await ask(network.call))).toBe('"own"');
    }
    const texts = await Promise.all([1, 2, 3].map(() => ask(network.call).then(textOf)));
    expect(texts.toSorted()).toEqual(['"own"', '"own"', '"rented"']);
    own.behave((_request, response) => void response.writeHead(500).end());
    expect(textOf(await ask(network.call))).toBe('"rented"');
  });

  it('limits a node to its budget, probes included, and reports when it is exhausted', async () => {
    const [own, spare] = [await startFakeNode(() => '"own"'), await startFakeNode(() => '"spare"')];
    const network = await startNetwork([own.url, spare.url], {
      nodes: [{ tier: 1, budget: { callsPerDay: 6 } }, { tier: 2 }],
      limits: quiet,
    });
    // The probes for the latest and the finalized block.
    expect(network.status()[0]!.callsLeftToday).toBe(4);
    const texts: string[] = [];
    for (let round = 0; round < 6; round += 1) texts.push(textOf(await ask(network.call)));
    expect(texts).toEqual([...Array.from({ length: 4 }, () => '"own"'), '"spare"', '"spare"']);
    expect(network.events.filter(({ kind }) => kind === 'budget')).toEqual([
      { kind: 'budget', upstream: 'node-0', isExhausted: true, callsLeftToday: 0 },
    ]);
  });

  it('delays probes that would spend most of a budget', async () => {
    const [often, seldom] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([often.url, seldom.url], {
      nodes: [{}, { budget: { callsPerDay: 7_200 } }],
    });
    const heads = (name: string): number =>
      network.events.filter((event) => event.kind === 'head' && event.upstream === name).length;
    await expect.poll(() => heads('node-0')).toBeGreaterThan(5);
    expect(heads('node-1')).toBe(2);
  });
});

describe('the circuit breaker of an upstream', () => {
  it('stops calls to a failing node, probes it later and closes on success', async () => {
    const [weak, strong] = [await startFakeNode(), await startFakeNode()];
    const clock = fakeClock();
    const network = await startNetwork([weak.url, strong.url], {
      clock,
      startTimer: clock.startTimer,
      nodes: [{ tier: 1 }, { tier: 2 }],
      limits: { ...quiet, breaker_attempts: 6, breaker_failures: 3, breaker_open_ms: 100 },
    });
    const states = (): string[] =>
      network.events.flatMap((event) => (event.kind === 'breaker' ? [event.state] : []));
    weak.behave(nodeError(-32005, 'limit exceeded'));
    for (let round = 0; round < 10; round += 1) {
      await network.call(callOf('eth_test', '[]', { account: `account ${round % 3}` }), signal);
    }
    expect(weak.requests).toHaveLength(3);
    expect(strong.requests).toHaveLength(10);
    expect(states()).toEqual(['open']);
    expect(network.status()[0]).toMatchObject({ isHealthy: true, breaker: 'open' });
    weak.behave(() => '1');
    clock.pass(100);
    await expect.poll(states).toEqual(['open', 'half-open', 'closed']);
    expect(weak.requests).toHaveLength(3);
    await ask(network.call);
    expect(weak.requests).toHaveLength(4);
  });

  const slow = { ...quiet, attempt_ms: 300, breaker_attempts: 4, breaker_failures: 2 };

  it.each([
    ['does not answer in time', () => new Promise<string>(() => undefined)],
    ['answers with malformed JSON', answerWith(200, '{"jsonrpc')],
    ['refuses with status 413', answerWith(413, 'too large')],
    ['answers with status 302', answerWith(302, '')],
    ['answers with status 429', answerWith(429, 'slow down')],
    ['answers with status 500', answerWith(500, 'broken')],
    ['answers with status 502', answerWith(502, 'bad gateway')],
    ['answers with status 504', answerWith(504, 'timeout')],
    ['answers with error -32005', nodeError(-32005, 'limit exceeded')],
    ['answers with too many requests', nodeError(-32000, 'too many requests')],
    ['answers with a reset', (_request, response) => void response.destroy()],
    [
      'answers with the beginning of a response',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{', () => response.destroy());
        return new Promise(() => undefined);
      },
    ],
  ] satisfies [string, Behavior][])(
    'stays closed for calls of one account that the node %s',
    async (_, behavior) => {
      const node = await startFakeNode();
      const network = await startNetwork([node.url], { limits: slow });
      node.behave((request, response) =>
        request.method === 'eth_bad' ? behavior(request, response) : '1',
      );
      for (let round = 0; round < 4; round += 1) {
        for (const account of ['a', 'b']) {
          const method = account === 'a' ? 'eth_bad' : 'eth_good';
          const outcome = await network.call(callOf(method, '[]', { account }), signal);
          expect(outcome.kind).toBe(account === 'a' ? 'failure' : 'result');
        }
      }
      expect(network.events.filter(({ kind }) => kind === 'breaker')).toEqual([]);
    },
  );

  it('stays closed when the node closes its WebSocket for calls of one account', async () => {
    const node = await startFakeSocketNode(({ method }, socket) => {
      if (method === 'eth_bad') socket.terminate();
      return method === 'eth_good' ? '1' : undefined;
    });
    const network = await startNetwork([node.url], { limits: { ...slow, attempt_ms: 10_000 } });
    const callAs = (account: string, method: string) =>
      network.call(callOf(method, '[]', { account }), signal).then(textOf);
    for (const account of ['a', 'b']) void callAs(account, 'eth_slow');
    expect(await callAs('c', 'eth_bad')).toBe('connection');
    await expect.poll(() => network.status()[0]!.isHealthy).toBe(true);
    for (let round = 0; round < 8; round += 1) {
      expect(await callAs('c', 'eth_bad')).toBe('connection');
      for (const account of ['a', 'b', 'd']) {
        expect(await callAs(account, 'eth_good')).toBe('1');
      }
    }
    expect(network.events.filter(({ kind }) => kind === 'breaker')).toEqual([]);
  });

  it.each([
    ['answers neither', () => new Promise<string>(() => undefined)],
    ['resets', (_request, response) => void response.destroy()],
    ['refuses with status 500', answerWith(500, 'broken')],
  ] satisfies [string, Behavior][])(
    'opens when the node %s the calls of the only account and probes',
    async (_, behavior) => {
      const node = await startFakeNode();
      const network = await startNetwork([node.url], { limits: { ...slow, probe_ms: 3_000 } });
      node.answerProbes(() => undefined);
      node.behave(behavior);
      for (let round = 0; round < 2; round += 1) {
        await network.call(callOf('eth_slow', '[]', { account: 'a' }), signal);
      }
      await expect.poll(() => network.status()[0]!.breaker).not.toBe('closed');
    },
  );

  it('of a partner closes on the call that verifies its chain', async () => {
    const [node, partner] = [await startFakeNode(), await startFakeNode()];
    const clock = fakeClock();
    const network = await startNetwork([node.url], {
      clock,
      startTimer: clock.startTimer,
      partner: partner.url,
      limits: { ...quiet, breaker_attempts: 4, breaker_failures: 2, max_attempts: 1 },
    });
    const states = (): string[] =>
      network.events.flatMap((event) =>
        event.kind === 'breaker' && event.upstream === 'partner' ? [event.state] : [],
      );
    const refuse = answerWith(500, '');
    node.behave(refuse);
    partner.behave((request, response) =>
      request.method === 'eth_test' ? refuse(request, response) : undefined,
    );
    const forwarded = callOf('eth_test', '[]', { forwarding: 'included' });
    for (const account of ['a', 'b']) await network.call({ ...forwarded, account }, signal);
    expect(states()).toEqual(['open']);
    partner.behave(() => '"partner"');
    partner.answerProbes((request) =>
      request.method === 'eth_chainId' ? probeAnswer(request) : undefined,
    );
    clock.pass(1_000);
    await expect.poll(states).toEqual(['open', 'half-open', 'closed']);
    expect(textOf(await network.call(forwarded, signal))).toBe('"partner"');
  });

  it('ignores canceled calls and errors about the call', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], {
      limits: { ...quiet, breaker_attempts: 4, breaker_failures: 2 },
    });
    node.behave(nodeError(-32000, 'insufficient funds'));
    for (let round = 0; round < 4; round += 1) await ask(network.call);
    node.behave(() => new Promise(() => undefined));
    for (let round = 0; round < 4; round += 1) {
      const caller = new AbortController();
      const gone = ask(network.call, 'eth_test', caller.signal);
      await expect.poll(() => node.requests.length).toBe(5 + round);
      caller.abort();
      await gone;
    }
    expect(network.status()[0]!.breaker).toBe('closed');
  });

  it.each([
    ['an HTTP', startFakeNode],
    ['a WebSocket', startFakeSocketNode],
  ])('ignores responses of %s node that are nested too deeply', async (_, startNode) => {
    const node = await startNode(() => `${'['.repeat(600)}${']'.repeat(600)}`);
    const network = await startNetwork([node.url], {
      limits: { ...quiet, breaker_attempts: 1, breaker_failures: 1, stream_from_bytes: 100 },
    });
    for (const streams of [false, true]) {
      const call = callOf('eth_test', '[]', { streams });
      expect(textOf(await network.stream(call, new AbortController().signal))).toBe('too_deep');
    }
    expect(network.status()[0]).toMatchObject({ isHealthy: true, breaker: 'closed' });
  });
});

describe('a hedged network', () => {
  it('returns the first of two answers and cancels the other attempt', async () => {
    const gone = Promise.withResolvers<unknown>();
    const slow = await startFakeNode();
    const fast = await startFakeNode(() => '"fast"');
    const network = await startNetwork([slow.url, fast.url], {
      hedge_after_ms: 20,
      limits: { ...quiet, attempt_ms: 5_000, call_deadline_ms: 5_000 },
    });
    slow.behave((_request, response) => {
      response.once('close', gone.resolve);
      return new Promise(() => undefined);
    });
    const outcome = await ask(network.call);
    expect(outcome).toMatchObject({ kind: 'result', by: { name: 'node-1' } });
    await gone.promise;
    expect(network.outcomes).toEqual([
      ['node-1', 'result'],
      ['node-0', 'aborted'],
    ]);
    expect(network.events).toContainEqual({
      kind: 'hedge',
      upstream: 'node-1',
      method: 'eth_test',
    });
    expect(network.status().map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });

  it('streams from the first node to answer until the caller leaves', async () => {
    const node = await startFakeNode();
    const network = await startNetwork([node.url], {
      hedge_after_ms: 20,
      limits: { ...quiet, stream_from_bytes: 100, stream_idle_ms: 5_000 },
    });
    const gone = Promise.withResolvers<unknown>();
    node.behave(({ id }, response) => {
      response.once('close', gone.resolve);
      response.write(`{"id":${id},"result":"${'x'.repeat(1_000)}`);
      return new Promise(() => undefined);
    });
    const caller = new AbortController();
    const call = callOf('eth_test', '[]', { streams: true });
    const outcome = await network.stream(call, caller.signal);
    if (outcome.kind !== 'stream') throw new Error(textOf(outcome));
    caller.abort();
    expect(await outcome.stream.ended).toMatchObject({ kind: 'broken', cause: 'aborted' });
    await gone.promise;
  });
});

describe('a network that is stopped', () => {
  it('waits for calls in flight up to the drain time', async () => {
    const answer = Promise.withResolvers<string>();
    const node = await startFakeNode();
    const network = await startNetwork([node.url], { limits: quiet });
    node.behave(() => answer.promise);
    const call = ask(network.call);
    await expect.poll(() => node.requests.length).toBe(1);
    const drained = network.drain(60_000);
    // Another call is made and answered while the network waits.
    const other = await startFakeNode();
    expect(textOf(await ask(openUpstream(other.url)))).toBe('"ok"');
    answer.resolve('"late"');
    expect(textOf(await call)).toBe('"late"');
    expect(await drained).toBe(true);
    const hanging = await startFakeNode();
    const hurried = await startNetwork([hanging.url], { limits: quiet });
    hanging.behave(() => new Promise(() => undefined));
    const lost = ask(hurried.call);
    await expect.poll(() => hanging.requests.length).toBe(1);
    expect(await hurried.drain(50)).toBe(false);
    await hurried.stop();
    expect(textOf(await lost)).toBe('connection');
  });
});
