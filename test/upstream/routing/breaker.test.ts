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
    max_open_ms: 5_000,
    monotonic_ms: () => clock.monotonic_ms(),
    random: () => random,
    onChange: (state) => states.push(state),
  });
  return { it: subject, clock, states };
}

function make(subject: Breaker, ...results: ('success' | 'failure' | 'unknown')[]): void {
  for (const result of results) subject.start()(result);
}

describe('Breaker', () => {
  it('opens when too many recent attempts failed', () => {
    const { it: subject, states } = breaker();
    make(
      subject,
      'failure',
      'success',
      'failure',
      'success',
      'success',
      'success',
      'success',
      'failure',
      'failure',
    );
    expect(states).toEqual([]);
    expect(subject.allowsAttempt).toBe(true);
    make(subject, 'failure');
    expect(states).toEqual(['open']);
    expect(subject.allowsAttempt).toBe(false);
  });

  it('ignores attempts that were canceled', () => {
    const { it: subject, states } = breaker();
    make(
      subject,
      'failure',
      'failure',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
    );
    expect(states).toEqual([]);
    make(subject, 'failure');
    expect(states).toEqual(['open']);
  });

  it('allows one trial after its time and closes when the trial succeeds', () => {
    const { it: subject, clock, states } = breaker();
    make(subject, 'failure', 'failure', 'failure');
    clock.pass(999);
    expect(subject.allowsAttempt).toBe(false);
    clock.pass(1);
    expect(subject.allowsAttempt).toBe(true);
    const record = subject.start();
    expect(subject.allowsAttempt).toBe(false);
    record('success');
    expect(states).toEqual(['open', 'half-open', 'closed']);
    make(subject, 'failure', 'failure');
    expect(subject.allowsAttempt).toBe(true);
  });

  it('stays open longer after each failed trial, up to a maximum with jitter', () => {
    const { it: subject, clock } = breaker();
    make(subject, 'failure', 'failure', 'failure');
    for (const pause_ms of [1_000, 2_000, 4_000, 5_000, 5_000]) {
      clock.pass(pause_ms - 1);
      expect(subject.allowsAttempt).toBe(false);
      clock.pass(1);
      expect(subject.allowsAttempt).toBe(true);
      make(subject, 'failure');
    }
    const { it: sooner, clock: other } = breaker(0);
    make(sooner, 'failure', 'failure', 'failure');
    other.pass(750);
    expect(sooner.allowsAttempt).toBe(true);
  });

  it('allows another trial at once when the trial was canceled', () => {
    const { it: subject, clock, states } = breaker();
    make(subject, 'failure', 'failure', 'failure');
    clock.pass(1_000);
    make(subject, 'unknown');
    expect(subject.allowsAttempt).toBe(true);
    make(subject, 'success');
    expect(states.at(-1)).toBe('closed');
  });

  it('ignores attempts that started before it opened', () => {
    const { it: subject, clock, states } = breaker();
    const early = [subject.start(), subject.start()];
    make(subject, 'failure', 'failure', 'failure');
    clock.pass(1_000);
    const trial = subject.start();
    early[0]!('success');
    expect(states.at(-1)).toBe('half-open');
    trial('failure');
    early[1]!('success');
    expect(states.at(-1)).toBe('open');
  });
});
