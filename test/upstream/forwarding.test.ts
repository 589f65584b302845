import { describe, expect, it } from 'vitest';
import {
  decideForwarding,
  withForwarding,
  type ForwardingDecision,
} from '../../src/upstream/with-forwarding.ts';
import type { StreamingOutcome, UpstreamCall } from '../../src/upstream/upstream.ts';
import { failure, type FailureCause } from '../../src/upstream/failure.ts';
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
  const rows: [forwarding: Forwarding, hasPartner: boolean, decision: ForwardingDecision][] = [
    ['included', true, 'forward'],
    ['included', false, 'keep'],
    ['upgrade', true, 'hint'],
    ['upgrade', false, 'keep'],
    [undefined, true, 'keep'],
  ];

  it.each(rows)('plan %s, partner %s: %s', (forwarding, hasPartner, decision) => {
    for (const cause of missing) {
      expect(decideForwarding(failure(cause, ''), call(forwarding), hasPartner)).toBe(decision);
    }
  });

  it("keeps every node's answer, what is too large for all, and what nobody waits for", () => {
    for (const outcome of [...answers, failure('too_large', ''), failure('aborted', '')]) {
      expect(decideForwarding(outcome, call('included'), true)).toBe('keep');
    }
  });
});

describe('withForwarding', () => {
  it("lets the network's own failure leave when the partner fails too", async () => {
    const upstream = withForwarding(async () => failure('timeout', 'own'), {
      partner: async () => failure('connection', 'partner'),
      observe: () => undefined,
    });
    expect(await upstream(call('included'), signal)).toEqual(failure('timeout', 'own'));
  });
});

describe('a network with a partner', () => {
  it('forwards what its own upstreams cannot answer, and tells who answered', async () => {
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

  it('asks the partner nothing as long as it can answer by itself, null included', async () => {
    const [own, partner] = [await startFakeNode(() => 'null'), await startFakeNode()];
    const network = await startNetwork([own.url], { partner: partner.url });
    const outcome = await network.call(call('included'), signal);
    expect(outcome).toMatchObject({ kind: 'result', by: { name: 'node-0', isPartner: false } });
    expect(textOf(outcome)).toBe('null');
    expect(partner.requests).toHaveLength(0);
  });

  it('forwards at once when none of its upstreams is fit, once its chain is known', async () => {
    const [own, partner] = [await startFakeNode(), await startFakeNode(() => '"partner"')];
    const network = await startNetwork([own.url], { partner: partner.url });
    await own.stop();
    await expect.poll(() => network.head()).toBeUndefined();
    expect(textOf(await network.call(call('included'), signal))).toBe('"partner"');
  });

  it('never takes an answer from a partner of another chain, or while its own is unknown', async () => {
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

  it('leaves the partner its share of the time when its own upstreams hang', async () => {
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

  it('streams what the partner streams', async () => {
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

  it('never asks its partner who or where it is before it has to', async () => {
    const partner = await startFakeNode();
    const asked: string[] = [];
    partner.behave(({ method }) => void asked.push(method));
    const own = await startFakeNode();
    await startNetwork([own.url], { partner: partner.url });
    expect(asked).toEqual([]);
    expect(textOf(await openUpstream(own.url)(call(), signal))).toBe('"ok"');
  });
});
