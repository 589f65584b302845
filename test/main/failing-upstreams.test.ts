import { describe, expect, it } from 'vitest';
import { protocol } from '../../src/main/dependencies.ts';
import { eventually } from '../transport/eventually.ts';
import { startFakeNode, type Behavior, type FakeNode } from '../upstream/fake-node.ts';
import { upstreamFailures, type UpstreamFailure } from './failing-upstreams.ts';
import { configFor, start, type TestGateway } from './support.ts';

const METHOD = 'eth_getTransactionByBlockHashAndIndex';
const COST = 150;
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: METHOD,
  params: [`0x${'ab'.repeat(32)}`, '0x0'],
});

/** Keeps probes and the circuit breaker from interfering with the call. */
const quiet = {
  probe_interval_ms: 60_000,
  probe_ms: 5_000,
  partner_ms: 5_000,
  key_refresh_ms: 100,
};

const keys = { free: 'key-of-plan-free', team: 'key-of-plan-team' };
type Plan = keyof typeof keys;
const accounts = (['free', 'team'] as const).map((plan) => ({
  id: plan,
  plan,
  keys: [{ key: keys[plan], allow: {} }],
}));

const setups = ['single', 'two', 'helped'] as const;
type Setup = (typeof setups)[number];

interface Bench {
  readonly gateway: TestGateway;
  readonly failing: Readonly<Record<Setup, FakeNode>>;
  /** The second upstream of `two`, and the partner of `helped`. */
  readonly good: { readonly two: FakeNode; readonly helped: FakeNode };
  ask(setup: Setup, plan: Plan): Promise<Seen>;
  used(plan: Plan): Promise<number>;
}

/** The parts of a response that the test checks. */
interface Seen {
  readonly status: number;
  readonly reason: string;
  readonly result: unknown;
  readonly hasHint: boolean;
  readonly cost: string | null;
  readonly forwardedTo: string | null;
  /** Credits left of the day, as the headers say. */
  readonly left: number;
}

/** Opens a gateway with three networks: the failing upstream alone, with a good one, and with a partner. */
async function openBench({
  behave,
  limits,
}: Pick<UpstreamFailure, 'behave' | 'limits'>): Promise<Bench> {
  const behaveSo: Behavior = (request, response) =>
    request.method === METHOD ? behave(request, response) : undefined;
  const [single, two, helped] = [
    await startFakeNode(behaveSo),
    await startFakeNode(behaveSo),
    await startFakeNode(behaveSo),
  ];
  const good = {
    two: await startFakeNode(() => '"good"'),
    helped: await startFakeNode(() => '"good"'),
  };
  const { networks, ...config } = await configFor([single.url], {
    accounts,
    limits: { ...quiet, ...limits },
  });
  const [network] = networks;
  const [upstream] = network!.upstreams;
  const at = ({ url }: FakeNode, tier: number) => ({ ...upstream!, url: url.href, tier });
  const gateway = await start(
    {
      ...config,
      networks: [
        { ...network!, name: 'single', upstreams: [at(single, 1)] },
        { ...network!, name: 'two', upstreams: [at(two, 1), at(good.two, 2)] },
        {
          ...network!,
          name: 'helped',
          identity: '31337',
          upstreams: [at(helped, 1)],
          partner: { ...at(good.helped, 1), name: 'acme' },
        },
      ],
    },
    { protocol },
  );
  const addresses = new Map(gateway.networks.map(({ name, http }) => [name, http]));
  return {
    gateway,
    failing: { single, two, helped },
    good,
    ask: (setup, plan) => ask(`${addresses.get(setup)}/v3/${keys[plan]}`),
    used: async (plan) => {
      const usage = await fetch(`${addresses.get('single')}/v3/${keys[plan]}/usage`);
      return ((await usage.json()) as { used: number }).used;
    },
  };
}

async function ask(url: string): Promise<Seen> {
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const seen = {
    status: response.status,
    cost: response.headers.get('x-credits-cost'),
    forwardedTo: response.headers.get('x-forwarded-to'),
    left: Number(/"credits";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]),
  };
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return { ...seen, reason: 'cut', result: undefined, hasHint: false };
  const { result, error } = JSON.parse(text) as {
    result?: unknown;
    error?: { data?: { reason?: string; upgrade?: string } };
  };
  const { reason = 'ok', upgrade } = error?.data ?? {};
  return { ...seen, reason, result, hasHint: upgrade !== undefined };
}

/** Returns the expected response for a plan in a setup. */
function expectedOf({ alone, isFinal }: UpstreamFailure, setup: Setup, plan: Plan): Partial<Seen> {
  const [status, reason] = alone;
  const isCharged = ['ok', 'cut', 'response_too_large'].includes(reason);
  const seen = { hasHint: false, forwardedTo: null };
  if (setup === 'single' || isFinal === true) {
    return { ...seen, status, reason, cost: isCharged ? String(COST) : '0' };
  }
  const good = { status: 200, reason: 'ok', result: 'good', cost: String(COST) };
  if (setup === 'two') return { ...seen, ...good };
  if (plan === 'team') return { ...seen, ...good, forwardedTo: 'acme' };
  return { ...seen, status: 503, reason: 'no_upstream', cost: '0', hasHint: true };
}

async function expectAnswers(bench: Bench, failure: UpstreamFailure, plan: Plan): Promise<void> {
  const full = protocol.plans.find(({ name }) => name === plan)!.creditsPerDay!;
  let used = 0;
  for (const setup of setups) {
    const expected = expectedOf(failure, setup, plan);
    const seen = await bench.ask(setup, plan);
    expect([setup, plan, seen]).toMatchObject([setup, plan, expected]);
    // The head of a response that is cut was sent before that was known.
    expect(seen.left).toBe(full - used - Number(seen.cost));
    if (seen.reason !== 'cut') used += Number(seen.cost);
    await eventually(() => bench.used(plan)).toBe(used);
  }
}

describe.each(upstreamFailures)('an upstream that $name', (failure) => {
  it('gets the response that the network and the plan allow, and only that is charged', async () => {
    const bench = await openBench(failure);
    await Promise.all([
      expectAnswers(bench, failure, 'free'),
      expectAnswers(bench, failure, 'team'),
    ]);
    const calls = ({ requests }: FakeNode): number => requests.length;
    // One that asks for a cooldown may have been called by both at once, or by the first only.
    if (failure.asksForCooldown !== true) expect(calls(bench.failing.two)).toBe(2);
    expect(calls(bench.good.two)).toBe(failure.isFinal === true ? 0 : 2);
    expect(calls(bench.good.helped)).toBe(failure.isFinal === true ? 0 : 1);
  });
});

const say =
  (error: object): Behavior =>
  ({ id }, response) =>
    void response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));

describe('a response of a node', () => {
  const charged = { status: 200, cost: String(COST), forwardedTo: null, hasHint: false };

  it('that is null is final, and charged', async () => {
    const bench = await openBench({ behave: () => 'null' });
    for (const setup of setups) {
      expect(await bench.ask(setup, 'team')).toMatchObject({ ...charged, result: null });
    }
    expect(bench.good.two.requests).toHaveLength(0);
    expect(bench.good.helped.requests).toHaveLength(0);
    await eventually(() => bench.used('team')).toBe(3 * COST);
  });

  it('that is an error of the call is final, and charged', async () => {
    const bench = await openBench({ behave: say({ code: -32000, message: 'no such index' }) });
    for (const setup of setups) {
      expect(await bench.ask(setup, 'team')).toMatchObject({ ...charged, result: undefined });
    }
    expect(bench.good.two.requests).toHaveLength(0);
    expect(bench.good.helped.requests).toHaveLength(0);
    await eventually(() => bench.used('team')).toBe(3 * COST);
  });

  it('that another node may improve on is requested there, and returned if there is no other node', async () => {
    const bench = await openBench({
      behave: say({ code: 4444, message: 'pruned history unavailable' }),
    });
    expect(await bench.ask('two', 'free')).toMatchObject({ ...charged, result: 'good' });
    for (const setup of ['single', 'helped'] as const) {
      expect(await bench.ask(setup, 'team')).toMatchObject({ ...charged, result: undefined });
    }
    expect(bench.good.two.requests).toHaveLength(1);
    expect(bench.good.helped.requests).toHaveLength(0);
    await eventually(() => bench.used('team')).toBe(2 * COST);
  });
});
