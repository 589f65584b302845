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
  for (const each_ms of [1, 90, 1_000]) {
    const clock = { now_ms: 0 };
    const allowance = allowanceOn(clock);
    const atOnce_ms = use(allowance, clock, each_ms);
    // At most 4,000 matches.
    expect(atOnce_ms).toBeGreaterThanOrEqual(each_ms === 1 ? 4_000 : 5_000);
    expect(atOnce_ms).toBeLessThan(8_000);
    clock.now_ms += 100_000;
    expect(use(allowance, clock, each_ms)).toBeLessThan(5_000);
  }
});

it('thousands of ordinary matches are allowed at once, then a thousand a second', () => {
  const clock = { now_ms: 0 };
  const allowance = allowanceOn(clock);
  const matchesOf = (): number => Math.round(use(allowance, clock, 0.2) / 0.2);
  expect(matchesOf()).toBeGreaterThanOrEqual(4_000);
  // Of a hundred thousand texts of a request, each of which takes next to no time.
  expect(matchesOf()).toBeLessThan(10);
  clock.now_ms += 1_000;
  expect(matchesOf()).toBeGreaterThanOrEqual(1_000);
  clock.now_ms += 100_000;
  expect(matchesOf()).toBeLessThan(6_000);
});

it('matches without a limit of their own have a share of the time that takes none from others', () => {
  const clock = { now_ms: 0 };
  const allowance = allowanceOn(clock);
  const use_ms = (): number => {
    const start_ms = clock.now_ms;
    while (!allowance.isFreeSpent()) allowance.chargeFree(() => (clock.now_ms += 100));
    return clock.now_ms - start_ms;
  };
  const atOnce_ms = use_ms();
  expect(atOnce_ms).toBeGreaterThanOrEqual(2_000);
  expect(atOnce_ms).toBeLessThan(4_000);
  expect(allowance.isSpent()).toBe(false);
  clock.now_ms += 4_000;
  expect(use_ms()).toBeLessThan(2_000);
});

it('time in which a match waited for a processor is neither used nor added to the limit', () => {
  const clock = { now_ms: 0, used_ms: 0 };
  const allowance = new MatchAllowance(
    () => clock.now_ms,
    () => clock.used_ms,
  );
  const matchesOf = (isSpent: () => boolean, charge: (match: () => void) => void): number => {
    let matches = 0;
    for (; matches < 100_000 && !isSpent(); matches += 1) {
      charge(() => {
        clock.used_ms += 0.25;
        clock.now_ms += 25;
      });
    }
    return matches;
  };
  const limited = matchesOf(
    () => allowance.isSpent(),
    (match) => allowance.charge(match),
  );
  expect(limited).toBe(4_000);
  const free = matchesOf(
    () => allowance.isFreeSpent(),
    (match) => allowance.chargeFree(match),
  );
  expect(free).toBe(8_000);
});
