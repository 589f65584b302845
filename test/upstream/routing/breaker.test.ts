import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerState } from '../../../src/upstream/routing/breaker.ts';
import { fakeClock, type FakeClock } from '../clock.ts';

function breaker(random = 1): { it: Breaker; clock: FakeClock; states: BreakerState[] } {
  const clock = fakeClock();
  const states: BreakerState[] = [];
  const subject = new Breaker({
    attempts: 6,
    failures: 3,
    open_ms: 1_000,
    most_open_ms: 5_000,
    monotonic_ms: () => clock.monotonic_ms(),
    random: () => random,
    onChange: (state) => states.push(state),
  });
  return { it: subject, clock, states };
}

function make(subject: Breaker, ...verdicts: ('good' | 'bad' | 'nothing')[]): void {
  for (const verdict of verdicts) subject.begin()(verdict);
}

describe('Breaker', () => {
  it('opens when too many of the last attempts failed, and not before', () => {
    const { it: subject, states } = breaker();
    make(subject, 'bad', 'good', 'bad', 'good', 'good', 'good', 'good', 'bad', 'bad');
    expect(states).toEqual([]);
    expect(subject.admits()).toBe(true);
    make(subject, 'bad');
    expect(states).toEqual(['open']);
    expect(subject.admits()).toBe(false);
  });

  it('learns nothing from callers that gave up', () => {
    const { it: subject, states } = breaker();
    make(subject, 'bad', 'bad', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing');
    expect(states).toEqual([]);
    make(subject, 'bad');
    expect(states).toEqual(['open']);
  });

  it('lets one attempt through when its time has come, and closes when that succeeds', () => {
    const { it: subject, clock, states } = breaker();
    make(subject, 'bad', 'bad', 'bad');
    clock.pass(999);
    expect(subject.admits()).toBe(false);
    clock.pass(1);
    expect(subject.admits()).toBe(true);
    const conclude = subject.begin();
    expect(subject.admits()).toBe(false);
    conclude('good');
    expect(states).toEqual(['open', 'half-open', 'closed']);
    make(subject, 'bad', 'bad');
    expect(subject.admits()).toBe(true);
  });

  it('stays open longer with each trial that fails, up to a bound, some of it at random', () => {
    const { it: subject, clock } = breaker();
    make(subject, 'bad', 'bad', 'bad');
    for (const pause_ms of [1_000, 2_000, 4_000, 5_000, 5_000]) {
      clock.pass(pause_ms - 1);
      expect(subject.admits()).toBe(false);
      clock.pass(1);
      expect(subject.admits()).toBe(true);
      make(subject, 'bad');
    }
    const { it: sooner, clock: other } = breaker(0);
    make(sooner, 'bad', 'bad', 'bad');
    other.pass(750);
    expect(sooner.admits()).toBe(true);
  });

  it('tries again at once when the caller of its trial gave up', () => {
    const { it: subject, clock, states } = breaker();
    make(subject, 'bad', 'bad', 'bad');
    clock.pass(1_000);
    make(subject, 'nothing');
    expect(subject.admits()).toBe(true);
    make(subject, 'good');
    expect(states.at(-1)).toBe('closed');
  });

  it('is told nothing by attempts that began before it opened', () => {
    const { it: subject, clock, states } = breaker();
    const early = [subject.begin(), subject.begin()];
    make(subject, 'bad', 'bad', 'bad');
    clock.pass(1_000);
    const trial = subject.begin();
    early[0]!('good');
    expect(states.at(-1)).toBe('half-open');
    trial('bad');
    early[1]!('good');
    expect(states.at(-1)).toBe('open');
  });
});
