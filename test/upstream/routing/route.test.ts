import { describe, expect, it } from 'vitest';
import type { CancelSignal } from '../../../src/time/cancellation.ts';
import type { Candidate } from '../../../src/upstream/routing/choose.ts';
import { routeOver, type RouteOptions } from '../../../src/upstream/routing/route.ts';
import {
  failure,
  type StreamingOutcome,
  type StreamingUpstream,
  type UpstreamCall,
} from '../../../src/upstream/upstream.ts';
import { fakeClock, type FakeClock } from '../clock.ts';
import { ask, textOf } from '../support.ts';

interface Attempt {
  readonly upstream: string;
  readonly limit_ms: number;
  readonly signal: CancelSignal;
  end(outcome: StreamingOutcome): Promise<void>;
}

interface Rig {
  readonly clock: FakeClock;
  readonly attempts: Attempt[];
  readonly hedges: string[];
  /** Retried node and cause. */
  readonly retries: string[];
  readonly call: (rest?: Partial<UpstreamCall>) => Promise<StreamingOutcome>;
  readonly leave: () => void;
  /** The caller leaves without canceling. */
  readonly abandon: () => void;
}

/** Routes over nodes whose attempts the test ends. */
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
    call: (_call, signal, limit_ms) =>
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
    max_attempts: 3,
    deadlineOf: () => 10_000,
    hedge_after_ms: undefined,
    demandOf: () => ({ tip: true, minHeight: 0 }),
    waitForNode: () => undefined,
    monotonic_ms: () => clock.monotonic_ms(),
    startTimer: clock.startTimer,
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
    call: (rest) =>
      ask((call, signal) => watched({ ...call, ...rest }, signal), 'eth_test', caller.signal),
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
  it('tries up to the limit, each time another node', async () => {
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

  it('limits attempts to the deadline of the call and makes none afterwards', async () => {
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

  it('makes no attempt in the last milliseconds of the deadline', async () => {
    const { attempts, call, clock } = route([{ name: 'a' }, { name: 'b' }], {
      deadlineOf: () => 1_500,
    });
    const outcome = call();
    clock.pass(1_495);
    await attempts[0]!.end(failure('timeout', ''));
    expect(textOf(await outcome)).toBe('timeout');
    expect(attempts).toHaveLength(1);
  });

  it('counts the wait for an identical call against the deadline', async () => {
    const { attempts, call } = route([{ name: 'a' }], { deadlineOf: () => 1_500 });
    void call({ waited_ms: 1_000 });
    expect(textOf(await call({ waited_ms: 1_500 }))).toBe('timeout');
    expect(attempts.map(({ limit_ms }) => limit_ms)).toEqual([500]);
  });

  it('prefers the error of a node to the failure of another', async () => {
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

  it('sends a call that moves to the same node, which has a new connection', async () => {
    const { attempts, call } = route([{ name: 'a' }, { name: 'b' }]);
    const outcome = call();
    const moved = { ...failure('interrupted', ''), isMoved: true as const };
    await attempts[0]!.end(moved);
    await attempts[1]!.end(moved);
    await attempts[2]!.end(one);
    expect(textOf(await outcome)).toBe('1');
    expect(attempts.map(({ upstream }) => upstream)).toEqual(['a', 'a', 'a']);
  });

  it.each([
    [5, '1'],
    [100, 'connection'],
  ])('tries a node whose connection is closing %i times: %s', async (times, expected) => {
    const { attempts, call, clock } = route([{ name: 'a' }]);
    let ended: string | undefined;
    void call().then((outcome) => (ended = textOf(outcome)));
    for (let index = 0; index < times; index += 1) {
      await attempts[index]?.end({ ...broken, isUnsent: true });
      clock.pass(100);
      await Promise.resolve();
    }
    await attempts[times]?.end(one);
    expect(ended).toBe(expected);
    expect(attempts.length).toBeLessThan(25);
  });

  it('waits for a node that has just lost its connection, unless the caller leaves', async () => {
    for (const [isBack, leaves, expected] of [
      [true, false, '1'],
      [true, true, 'aborted'],
      [false, false, 'none'],
    ]) {
      let isOpen = false;
      let wait: Promise<void> | undefined;
      const back = Promise.withResolvers<void>();
      wait = back.promise;
      const { attempts, call, abandon } = route([{ name: 'a', can: () => isOpen }], {
        waitForNode: () => wait,
      });
      const outcome = call();
      expect(attempts).toEqual([]);
      if (leaves === true) abandon();
      isOpen = isBack === true;
      wait = undefined;
      back.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      await attempts[0]?.end(one);
      expect(textOf(await outcome)).toBe(expected);
    }
  });

  it('retries a broken connection on the same node only when no other is left', async () => {
    const { attempts, call } = route([{ name: 'a' }]);
    const outcome = call();
    await attempts[0]!.end(broken);
    await attempts[1]!.end(broken);
    expect(textOf(await outcome)).toBe('connection');
    expect(attempts).toHaveLength(2);
    const pair = route([{ name: 'a' }, { name: 'b', can: () => false }], { max_attempts: 1 });
    const once = pair.call();
    await pair.attempts[0]!.end(broken);
    expect(textOf(await once)).toBe('connection');
    expect(pair.attempts).toHaveLength(1);
  });

  it('fails when no node is available', async () => {
    expect(textOf(await route([{ name: 'a', can: () => false }]).call())).toBe('none');
    expect(textOf(await route([]).call())).toBe('none');
  });
});

describe('a hedged route', () => {
  const pair = [{ name: 'a' }, { name: 'b' }];
  const hedged = { hedge_after_ms: 100 };

  it('calls a second node when the first is slow and returns the first answer', async () => {
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

  it('cancels the second attempt when the first answers', async () => {
    const { attempts, call, clock } = route(pair, hedged);
    const outcome = call();
    clock.pass(100);
    await attempts[0]!.end(one);
    expect(await outcome).toBe(one);
    expect(attempts.map(({ signal }) => signal.aborted)).toEqual([false, true]);
  });

  it('calls no other node when the answer is in time', async () => {
    const { attempts, call, clock } = route(pair, hedged);
    const outcome = call();
    await attempts[0]!.end(one);
    await outcome;
    clock.pass(1_000);
    expect(attempts).toHaveLength(1);
  });

  it('waits for the other attempt when one fails and retries when both do', async () => {
    const { attempts, call, clock } = route([...pair, { name: 'c' }], hedged);
    const outcome = call();
    clock.pass(100);
    await attempts[0]!.end(broken);
    expect(attempts.map(({ upstream }) => upstream)).toEqual(['a', 'b', 'c']);
    await attempts[1]!.end(broken);
    await attempts[2]!.end(one);
    expect(await outcome).toBe(one);
  });

  it('does not hedge across tiers or beyond the attempt limit', async () => {
    const tiers = route([{ name: 'a' }, { name: 'b', tier: 2 }], hedged);
    void tiers.call();
    tiers.clock.pass(1_000);
    expect(tiers.attempts).toHaveLength(1);
    const single = route(pair, { ...hedged, max_attempts: 1 });
    void single.call();
    single.clock.pass(1_000);
    expect(single.attempts).toHaveLength(1);
  });

  it('cancels both attempts when the caller cancels', async () => {
    const { attempts, call, clock, leave } = route(pair, hedged);
    const outcome = call();
    clock.pass(100);
    leave();
    expect(textOf(await outcome)).toBe('aborted');
    expect(attempts.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
});

describe('a route whose caller has left', () => {
  it('neither retries nor hedges and returns the outcome of the sent attempt', async () => {
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

  it('waits for the sent attempt when its rival is dropped from a queue', async () => {
    const rig = route([{ name: 'a' }, { name: 'b' }], { hedge_after_ms: 100 });
    const outcome = rig.call();
    rig.clock.pass(100);
    rig.abandon();
    await rig.attempts[1]!.end(failure('aborted', ''));
    await rig.attempts[0]!.end(one);
    expect(await outcome).toEqual(one);
  });
});
