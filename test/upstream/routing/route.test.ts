import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/upstream/routing/choose.ts';
import { routeOver, type RouteOptions } from '../../../src/upstream/routing/route.ts';
import type { StreamingOutcome, StreamingUpstream } from '../../../src/upstream/upstream.ts';
import { failure } from '../../../src/upstream/failure.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { ask, textOf } from '../support.ts';

interface Attempt {
  readonly upstream: string;
  readonly limit_ms: number;
  readonly signal: AbortSignal;
  end(outcome: StreamingOutcome): Promise<void>;
}

interface Rig {
  readonly clock: FakeClock;
  readonly attempts: Attempt[];
  readonly hedges: string[];
  /** Upstream asked again, and why. */
  readonly retries: string[];
  readonly call: () => Promise<StreamingOutcome>;
  readonly leave: () => void;
  /** The caller leaves, which cancels nothing. */
  readonly abandon: () => void;
}

/** A route over upstreams whose attempts end when the test says so. */
function route(
  upstreams: readonly { name: string; tier?: number; can?: () => boolean }[],
  over: Partial<RouteOptions> = {},
): Rig {
  const clock = fakeClock();
  const attempts: Attempt[] = [];
  const hedges: string[] = [];
  const retries: string[] = [];
  const candidates = upstreams.map(({ name, tier = 1, can = () => true }): Candidate => ({
    name,
    tier,
    weight: 1,
    inFlight: 0,
    canTake: can,
    ask: (_call, signal, limit_ms) =>
      new Promise((resolve) => {
        const end = (outcome: StreamingOutcome): Promise<void> => {
          resolve(outcome);
          return new Promise((settled) => setImmediate(settled));
        };
        signal.addEventListener('abort', () => void end(failure('aborted', '')));
        attempts.push({ upstream: name, limit_ms, signal, end });
      }),
  }));
  const upstream = routeOver(candidates, {
    family: 'evm',
    most_tries: 3,
    deadlineOf: () => 10_000,
    hedge_after_ms: undefined,
    demandOf: () => ({ tip: true, floor: 0 }),
    monotonic_ms: () => clock.monotonic_ms(),
    after: clock.after,
    onHedge: ({ name }) => hedges.push(name),
    onRetry: ({ name }, _call, cause) => retries.push(`${name} ${cause}`),
    ...over,
  });
  const caller = new AbortController();
  const gone = new AbortController();
  const watched: StreamingUpstream = (call, signal) =>
    upstream({ ...call, abandoned: gone.signal }, signal);
  return {
    clock,
    attempts,
    hedges,
    retries,
    call: () => ask(watched, 'eth_test', caller.signal),
    leave: () => caller.abort(),
    abandon: () => gone.abort(),
  };
}

const one: StreamingOutcome = { kind: 'result', result: Buffer.from('1') };
const two: StreamingOutcome = { kind: 'result', result: Buffer.from('2') };
const behind: StreamingOutcome = {
  kind: 'error',
  error: { code: -32000, message: 'header not found' },
};
const broken = failure('connection', '');

describe('a route', () => {
  it('tries as often as it may, each time another upstream', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const { attempts, retries, call } = route(names.map((name) => ({ name })));
    const outcome = call();
    await attempts[0]!.end(failure('status', '0'));
    await attempts[1]!.end(behind);
    await attempts[2]!.end(failure('status', '2'));
    expect(textOf(await outcome)).toBe('error -32000');
    expect(attempts.map(({ upstream }) => upstream)).toEqual(['a', 'b', 'c']);
    expect(retries).toEqual(['b status', 'c error']);
  });

  it('shares out the time of its call, and makes no try when that is over', async () => {
    const { attempts, call, clock } = route([{ name: 'a' }, { name: 'b' }, { name: 'c' }], {
      deadlineOf: () => 1_500,
    });
    const outcome = call();
    clock.pass(1_000);
    await attempts[0]!.end(failure('timeout', ''));
    clock.pass(500);
    await attempts[1]!.end(failure('timeout', ''));
    expect(textOf(await outcome)).toBe('timeout');
    expect(attempts.map(({ limit_ms }) => limit_ms)).toEqual([1_500, 500]);
  });

  it("lets a node's own words leave rather than that another one was not there", async () => {
    for (const order of [
      [behind, broken, broken],
      [broken, behind, broken],
    ]) {
      const { attempts, call } = route([{ name: 'a' }, { name: 'b' }]);
      const outcome = call();
      for (const [index, end] of order.entries()) await attempts[index]?.end(end);
      expect(await outcome).toEqual(behind);
    }
  });

  it('tries a broken connection once more only where nobody else is left', async () => {
    const { attempts, call } = route([{ name: 'a' }]);
    const outcome = call();
    await attempts[0]!.end(broken);
    await attempts[1]!.end(broken);
    expect(textOf(await outcome)).toBe('connection');
    expect(attempts).toHaveLength(2);
    const pair = route([{ name: 'a' }, { name: 'b', can: () => false }], { most_tries: 1 });
    const once = pair.call();
    await pair.attempts[0]!.end(broken);
    expect(textOf(await once)).toBe('connection');
    expect(pair.attempts).toHaveLength(1);
  });

  it('says so when no upstream can be asked', async () => {
    expect(textOf(await route([{ name: 'a', can: () => false }]).call())).toBe('none');
    expect(textOf(await route([]).call())).toBe('none');
  });
});

describe('a hedged route', () => {
  const pair = [{ name: 'a' }, { name: 'b' }];
  const hedged = { hedge_after_ms: 100 };

  it('asks a second upstream when the first is slow, and takes the first answer', async () => {
    const { attempts, hedges, call, clock } = route(pair, hedged);
    const outcome = call();
    clock.pass(99);
    expect(attempts).toHaveLength(1);
    clock.pass(1);
    expect(attempts.map(({ upstream }) => upstream)).toEqual(['a', 'b']);
    expect(hedges).toEqual(['b']);
    await attempts[1]!.end(two);
    expect(await outcome).toBe(two);
    expect(attempts.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('takes the answer of the first one too, and gives up the second', async () => {
    const { attempts, call, clock } = route(pair, hedged);
    const outcome = call();
    clock.pass(100);
    await attempts[0]!.end(one);
    expect(await outcome).toBe(one);
    expect(attempts.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  });

  it('asks nobody else when the answer is in time', async () => {
    const { attempts, call, clock } = route(pair, hedged);
    const outcome = call();
    await attempts[0]!.end(one);
    await outcome;
    clock.pass(1_000);
    expect(attempts).toHaveLength(1);
  });

  it('waits for the other when one of both fails, and tries on when both do', async () => {
    const { attempts, call, clock } = route([...pair, { name: 'c' }], hedged);
    const outcome = call();
    clock.pass(100);
    await attempts[0]!.end(broken);
    expect(attempts.map(({ upstream }) => upstream)).toEqual(['a', 'b', 'c']);
    await attempts[1]!.end(broken);
    await attempts[2]!.end(one);
    expect(await outcome).toBe(one);
  });

  it('hedges neither with an upstream of another tier nor beyond its tries', async () => {
    const tiers = route([{ name: 'a' }, { name: 'b', tier: 2 }], hedged);
    void tiers.call();
    tiers.clock.pass(1_000);
    expect(tiers.attempts).toHaveLength(1);
    const single = route(pair, { ...hedged, most_tries: 1 });
    void single.call();
    single.clock.pass(1_000);
    expect(single.attempts).toHaveLength(1);
  });

  it('gives up both when the caller leaves', async () => {
    const { attempts, call, clock, leave } = route(pair, hedged);
    const outcome = call();
    clock.pass(100);
    leave();
    expect(textOf(await outcome)).toBe('aborted');
    expect(attempts.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
});

describe('a route whose caller has left', () => {
  it('makes no further try and no hedge, and ends as the attempt that was sent does', async () => {
    const rig = route([{ name: 'a' }, { name: 'b' }], { hedge_after_ms: 100 });
    const outcome = rig.call();
    rig.abandon();
    rig.clock.pass(100);
    expect(rig.hedges).toEqual([]);
    expect(rig.attempts[0]!.signal.aborted).toBe(false);
    await rig.attempts[0]!.end(broken);
    expect(textOf(await outcome)).toBe('connection');
    expect(rig.attempts).toHaveLength(1);
    expect(textOf(await rig.call())).toBe('aborted');
    expect(rig.attempts).toHaveLength(1);
  });

  it('waits for the attempt that was sent when a rival is dropped from a queue', async () => {
    const rig = route([{ name: 'a' }, { name: 'b' }], { hedge_after_ms: 100 });
    const outcome = rig.call();
    rig.clock.pass(100);
    rig.abandon();
    await rig.attempts[1]!.end(failure('aborted', ''));
    await rig.attempts[0]!.end(one);
    expect(await outcome).toEqual(one);
  });
});
