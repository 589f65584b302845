import { describe, expect, it } from 'vitest';
import { protocol } from '../../src/main/dependencies.ts';
import { eventually } from '../transport/eventually.ts';
import { startFakeNode, type Behavior, type FakeNode } from '../upstream/fake-node.ts';
import { faults, type Fault } from './faulty-upstreams.ts';
import { configFor, start, type TestGateway } from './support.ts';

const METHOD = 'eth_getTransactionByBlockHashAndIndex';
const COST = 150;
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: METHOD,
  params: [`0x${'ab'.repeat(32)}`, '0x0'],
});

/** Neither probes nor the breaker get between a call and the upstream it is about. */
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
  readonly faulty: Readonly<Record<Setup, FakeNode>>;
  /** The second upstream of `two`, and the partner of `helped`. */
  readonly good: { readonly two: FakeNode; readonly helped: FakeNode };
  ask(setup: Setup, plan: Plan): Promise<Told>;
  used(plan: Plan): Promise<number>;
}

/** What a caller sees of an answer. */
interface Told {
  readonly status: number;
  readonly reason: string;
  readonly result: unknown;
  readonly hasHint: boolean;
  readonly cost: string | null;
  readonly forwardedTo: string | null;
  /** Credits left of the day, as the headers say. */
  readonly left: number;
}

/** One gateway, three networks: the faulty upstream alone, before a good one, and with a partner. */
async function openBench({ behave, limits }: Pick<Fault, 'behave' | 'limits'>): Promise<Bench> {
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
    faulty: { single, two, helped },
    good,
    ask: (setup, plan) => ask(`${addresses.get(setup)}/v3/${keys[plan]}`),
    used: async (plan) => {
      const usage = await fetch(`${addresses.get('single')}/v3/${keys[plan]}/usage`);
      return ((await usage.json()) as { used: number }).used;
    },
  };
}

async function ask(url: string): Promise<Told> {
  const headers = { 'content-type': 'application/json', 'accept-encoding': 'identity' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const told = {
    status: response.status,
    cost: response.headers.get('x-credits-cost'),
    forwardedTo: response.headers.get('x-forwarded-to'),
    left: Number(/"credits";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]),
  };
  const text = await response.text().catch(() => undefined);
  if (text === undefined) return { ...told, reason: 'cut', result: undefined, hasHint: false };
  const { result, error } = JSON.parse(text) as {
    result?: unknown;
    error?: { data?: { reason?: string; upgrade?: string } };
  };
  const { reason = 'ok', upgrade } = error?.data ?? {};
  return { ...told, reason, result, hasHint: upgrade !== undefined };
}

/** What is expected of the answer to a plan in a setup. */
function expectedOf({ alone, isFinal }: Fault, setup: Setup, plan: Plan): Partial<Told> {
  const [status, reason] = alone;
  const isCharged = reason === 'ok' || reason === 'cut';
  const told = { hasHint: false, forwardedTo: null };
  if (setup === 'single' || isFinal === true) {
    return { ...told, status, reason, cost: isCharged ? String(COST) : '0' };
  }
  const good = { status: 200, reason: 'ok', result: 'good', cost: String(COST) };
  if (setup === 'two') return { ...told, ...good };
  if (plan === 'team') return { ...told, ...good, forwardedTo: 'acme' };
  return { ...told, status: 503, reason: 'no_upstream', cost: '0', hasHint: true };
}

async function expectAnswers(bench: Bench, fault: Fault, plan: Plan): Promise<void> {
  const full = protocol.plans.find(({ name }) => name === plan)!.creditsPerDay!;
  let used = 0;
  for (const setup of setups) {
    const expected = expectedOf(fault, setup, plan);
    const told = await bench.ask(setup, plan);
    expect([setup, plan, told]).toMatchObject([setup, plan, expected]);
    // The head of an answer that is cut had to be sent before that was known.
    expect(told.left).toBe(full - used - Number(told.cost));
    if (told.reason !== 'cut') used += Number(told.cost);
    await eventually(() => bench.used(plan)).toBe(used);
  }
}

describe.each(faults)('an upstream that $name', (fault) => {
  it('is answered for as the network and the plan allow, and charged for no more', async () => {
    const bench = await openBench(fault);
    await Promise.all([expectAnswers(bench, fault, 'free'), expectAnswers(bench, fault, 'team')]);
    const calls = ({ requests }: FakeNode): number => requests.length;
    // One that asks to be left alone may have been asked by both at once, or by the first only.
    if (fault.asksForRest !== true) expect(calls(bench.faulty.two)).toBe(2);
    expect(calls(bench.good.two)).toBe(fault.isFinal === true ? 0 : 2);
    expect(calls(bench.good.helped)).toBe(fault.isFinal === true ? 0 : 1);
  });
});

const say =
  (error: object): Behavior =>
  ({ id }, response) =>
    void response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));

describe('an answer of a node', () => {
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

  it('that another node may know better is asked for there, and leaves where there is none', async () => {
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
