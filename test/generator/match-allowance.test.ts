import { expect, it } from 'vitest';
import { MatchAllowance } from '../../generator/violations/match-allowance.ts';

/** An allowance of a process that never waits for a processor. */
const allowanceOn = (clock: { now_ms: number }): MatchAllowance =>
  new MatchAllowance(
    () => clock.now_ms,
    () => clock.now_ms,
  );

/** Runs matches that take `each_ms` until the allowance is spent, and returns the time they used. */
function use(allowance: MatchAllowance, clock: { now_ms: number }, each_ms: number): number {
  const start_ms = clock.now_ms;
  for (let matches = 0; matches < 100_000 && !allowance.isSpent(); matches += 1) {
    allowance.charge(() => (clock.now_ms += each_ms));
  }
  return clock.now_ms - start_ms;
}

it('matches use a bounded time at once, however long each takes, then a share of the time', () => {
  for (const each_ms of [1, 90, 300]) {
    const clock = { now_ms: 0 };
    const allowance = allowanceOn(clock);
    const atOnce_ms = use(allowance, clock, each_ms);
    expect(atOnce_ms).toBeGreaterThanOrEqual(300);
    expect(atOnce_ms).toBeLessThan(900);
    clock.now_ms += 10_000;
    expect(use(allowance, clock, each_ms)).toBeLessThan(600);
  }
});

it('hundreds of ordinary matches are allowed at once, then a share of the time', () => {
  const clock = { now_ms: 0 };
  const allowance = allowanceOn(clock);
  const matchesOf = (): number => Math.round(use(allowance, clock, 0.2) / 0.2);
  expect(matchesOf()).toBeGreaterThanOrEqual(500);
  // Of a hundred thousand texts of a request, each of which takes next to no time.
  expect(matchesOf()).toBeLessThan(10);
  clock.now_ms += 1_000;
  expect(matchesOf()).toBeGreaterThanOrEqual(250);
  clock.now_ms += 100_000;
  expect(matchesOf()).toBeLessThan(1_000);
});

it('slow matches leave time for those that always end soon, all within the time of one message', () => {
  const clock = { now_ms: 0 };
  const allowance = allowanceOn(clock);
  const slow_ms = use(allowance, clock, 50);
  const use_ms = (): number => {
    const start_ms = clock.now_ms;
    while (!allowance.isFreeSpent()) allowance.chargeFree(() => (clock.now_ms += 10));
    return clock.now_ms - start_ms;
  };
  const free_ms = use_ms();
  expect(free_ms).toBeGreaterThan(100);
  expect(slow_ms + free_ms).toBeLessThan(600);
  clock.now_ms += 4_000;
  expect(use_ms()).toBeGreaterThanOrEqual(500);
});

it('time in which a match waited for a processor is neither used nor added to the limit', () => {
  const clock = { now_ms: 0, used_ms: 0 };
  const allowance = new MatchAllowance(
    () => clock.now_ms,
    () => clock.used_ms,
  );
  let matches = 0;
  for (; matches < 100_000 && !allowance.isSpent(); matches += 1) {
    allowance.charge(() => {
      clock.used_ms += 0.25;
      clock.now_ms += 25;
    });
  }
  expect(matches).toBe(500);
});
