import { describe, expect, it } from 'vitest';
import {
  decideForwarding,
  withForwarding,
  type ForwardingDecision,
} from '../../src/upstream/with-forwarding.ts';
import {
  failure,
  type FailureCause,
  type StreamingOutcome,
  type UpstreamCall,
} from '../../src/upstream/upstream.ts';
import { startFakeNode } from './fake-node.ts';
import { callOf, openUpstream, startNetwork, textOf, type WatchedNetwork } from './support.ts';

type Forwarding = UpstreamCall['forwarding'];

function call(forwarding?: Forwarding): UpstreamCall {
  return callOf('eth_test', '[]', forwarding === undefined ? {} : { forwarding });
}

const answers: StreamingOutcome[] = [
  { kind: 'result', result: Buffer.from('null') },
  { kind: 'error', error: { code: -32000, message: 'header not found' } },
];
const { signal } = new AbortController();

describe('decideForwarding', () => {
  const missing: FailureCause[] = [
    'connection',
    'timeout',
    'status',
    'malformed',
    'unhealthy',
    'overloaded',
    'none',
  ];
  const rows: [forwarding: Forwarding, decision: ForwardingDecision][] = [
    ['included', 'forward'],
    ['upgrade', 'hint'],
    [undefined, 'keep'],
  ];

  it.each(rows)('returns for plan %s: %s', (forwarding, decision) => {
    for (const cause of missing) {
      expect(decideForwarding(failure(cause, ''), call(forwarding))).toBe(decision);
    }
  });

  it('keeps answers, responses that are too large, too deep or unread, and canceled calls', () => {
    const final = (['too_large', 'too_deep', 'unread', 'aborted'] as const).map((cause) =>
      failure(cause, ''),
    );
    for (const outcome of [...answers, ...final]) {
      expect(decideForwarding(outcome, call('included'))).toBe('keep');
    }
  });
});

describe('withForwarding', () => {
  it('returns the failure to read the response of a partner, which has done the work', async () => {
    const upstream = withForwarding(async () => failure('timeout', 'own'), {
      monotonic_ms: () => 0,
      partner: async () => failure('unread', 'partner'),
      observe: () => undefined,
    });
    const outcome = await upstream(call('included'), new AbortController().signal);
    expect(outcome).toMatchObject({ cause: 'unread' });
  });

  it("returns the network's own failure when the partner fails too", async () => {
    const upstream = withForwarding(async () => failure('timeout', 'own'), {
      monotonic_ms: () => 0,
      partner: async () => failure('connection', 'partner'),
      observe: () => undefined,
    });
    expect(await upstream(call('included'), signal)).toEqual(failure('timeout', 'own'));
  });
});

describe('a network without a partner', () => {
  it('returns its own failure, whatever the plan', async () => {
    const own = await startFakeNode();
    const network = await startNetwork([own.url]);
    own.behave((_request, response) => void response.writeHead(500).end());
    for (const forwarding of ['included', 'upgrade'] as const) {
      const outcome = await network.call(call(forwarding), signal);
      expect(outcome).toEqual(failure('status', 'HTTP status 500'));
    }
  });
});

describe('a network with a partner', () => {
  it('forwards calls that its nodes cannot answer and names the node that answered', async () => {
    const [own, partner] = [await startFakeNode(), await startFakeNode(() => '"partner"')];
    const network = await startNetwork([own.url], {
      partner: partner.url,
      limits: { probe_interval_ms: 60_000 },
    });
    own.behave((_request, response) => void response.writeHead(500).end());
    const outcome = await network.call(call('included'), signal);
    expect(outcome).toMatchObject({ kind: 'result', by: { name: 'partner', isPartner: true } });
    expect(network.events).toContainEqual({ kind: 'forward', method: 'eth_test', cause: 'status' });
    expect(textOf(await network.call(call('upgrade'), signal))).toBe('none');
    expect(await network.call(call('upgrade'), signal)).toMatchObject({ upgrade: true });
    expect(await network.call(call(), signal)).toEqual(failure('status', 'HTTP status 500'));
    expect(partner.requests).toHaveLength(1);
  });

  it('does not call the partner when it has an answer, null included', async () => {
    const [own, partner] = [await startFakeNode(() => 'null'), await startFakeNode()];
    const network = await startNetwork([own.url], { partner: partner.url });
    const outcome = await network.call(call('included'), signal);
    expect(outcome).toMatchObject({ kind: 'result', by: { name: 'node-0', isPartner: false } });
    expect(textOf(outcome)).toBe('null');
    expect(partner.requests).toHaveLength(0);
  });

  it('forwards at once when no node is healthy and its chain is known', async () => {
    const [own, partner] = [await startFakeNode(), await startFakeNode(() => '"partner"')];
    const network = await startNetwork([own.url], { partner: partner.url });
    await own.stop();
    await expect.poll(() => network.head()).toBeUndefined();
    expect(textOf(await network.call(call('included'), signal))).toBe('"partner"');
  });

  it('rejects a partner on another chain or while its own chain is unknown', async () => {
    const [own, partner] = [await startFakeNode(), await startFakeNode(() => '"partner"')];
    await own.stop();
    for (const identity of [undefined, '1']) {
      const network = await startNetwork([own.url], { partner: partner.url, identity });
      expect(textOf(await network.call(call('included'), signal))).toBe('none');
    }
    const network = await startNetwork([own.url], { partner: partner.url, identity: '0x7a69' });
    expect(textOf(await network.call(call('included'), signal))).toBe('"partner"');
    expect(partner.requests).toHaveLength(1);
  });

  it('reserves time for the partner when its nodes hang', async () => {
    const [own, partner] = [await startFakeNode(), await startFakeNode(() => '"partner"')];
    const open = (partner_ms: number): Promise<WatchedNetwork> =>
      startNetwork([own.url], {
        partner: partner.url,
        limits: { call_deadline_ms: partner_ms + 100, partner_ms, probe_interval_ms: 60_000 },
      });
    const [patient, short] = [await open(8_000), await open(200)];
    own.behave(({ method }) => (method === 'eth_test' ? new Promise(() => undefined) : undefined));
    expect(textOf(await patient.call(call('included'), signal))).toBe('"partner"');
    partner.behave(() => new Promise(() => undefined));
    expect(textOf(await short.call(call('included'), signal))).toBe('timeout');
  });

  it('waits for the partner as long as its deadline allows, and leaves it the whole time', async () => {
    const [own, partner] = [await startFakeNode(), await startFakeNode()];
    const limits = { call_deadline_ms: 30_000, partner_ms: 500, upstream_calls_in_flight: 1 };
    const network = await startNetwork([own.url], {
      partner: partner.url,
      identity: '31337',
      limits,
    });
    await own.stop();
    let count = 0;
    partner.behave(({ method }) => {
      if (method !== 'eth_test') return undefined;
      count += 1;
      return count === 1 ? new Promise(() => undefined) : '"partner"';
    });
    const calls = Array.from({ length: 3 }, () => network.call(call('included'), signal));
    const texts = (await Promise.all(calls)).map(textOf);
    expect(texts.filter((each) => each === '"partner"')).toHaveLength(2);
  });

  it('calls the partner again over another connection if the first one breaks', async () => {
    const [own, partner] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([own.url], { partner: partner.url, identity: '31337' });
    await own.stop();
    let count = 0;
    partner.behave(({ method }, response) => {
      if (method !== 'eth_test') return undefined;
      count += 1;
      if (count > 1) return '"partner"';
      return void response.destroy();
    });
    expect(textOf(await network.call(call('included'), signal))).toBe('"partner"');
    expect(network.events).toContainEqual(
      expect.objectContaining({ kind: 'retry', upstream: 'partner', cause: 'connection' }),
    );
  });

  it('passes on streams of the partner', async () => {
    const [own, partner] = [await startFakeNode(), await startFakeNode()];
    const network = await startNetwork([own.url], {
      partner: partner.url,
      identity: '31337',
      limits: { stream_from_bytes: 1_000 },
    });
    await own.stop();
    partner.behave(() => JSON.stringify('x'.repeat(50_000)));
    const outcome = await network.stream({ ...call('included'), streams: true }, signal);
    expect(outcome).toMatchObject({ kind: 'stream', by: { isPartner: true } });
    if (outcome.kind !== 'stream') return;
    let length = 0;
    for await (const chunk of outcome.stream) length += chunk.length;
    expect(length).toBe(50_002);
  });

  it('does not probe the partner before it needs it', async () => {
    const partner = await startFakeNode();
    const asked: string[] = [];
    partner.behave(({ method }) => void asked.push(method));
    const own = await startFakeNode();
    await startNetwork([own.url], { partner: partner.url });
    expect(asked).toEqual([]);
    expect(textOf(await openUpstream(own.url)(call(), signal))).toBe('"ok"');
  });
});
