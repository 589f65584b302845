import { describe, expect, it } from 'vitest';
import {
  Breaker,
  type AttemptResult,
  type BreakerState,
} from '../../../src/upstream/routing/breaker.ts';
import { fakeClock } from '../clock.ts';

interface Rig {
  readonly subject: Breaker;
  readonly states: BreakerState[];
  /** Probes that wait for an answer. */
  readonly probes: ((isAnswered: boolean) => void)[];
  /** Records attempts of an account. */
  make(account: string, ...results: AttemptResult[]): void;
  /** Records failed attempts, each of another account. */
  fail(count: number): void;
  pass(ms: number): void;
  /** Answers the probe in flight. */
  answer(isAnswered: boolean): Promise<void>;
  pause(isPaused: boolean): void;
}

/** A breaker that opens at 4 failures among 8 attempts. */
function breaker(random = 1): Rig {
  const clock = fakeClock();
  const states: BreakerState[] = [];
  const probes: ((isAnswered: boolean) => void)[] = [];
  let isPaused = false;
  const subject = new Breaker({
    attempts: 8,
    failures: 4,
    open_ms: 1_000,
    max_open_ms: 5_000,
    probe: () => new Promise((resolve) => probes.push(resolve)),
    isPaused: () => isPaused,
    startTimer: clock.startTimer,
    random: () => random,
    onChange: (state) => states.push(state),
    onSuccess: () => undefined,
  });
  return {
    subject,
    states,
    probes,
    make(account, ...results) {
      for (const result of results) subject.start(account)(result);
    },
    fail(count) {
      for (let index = 0; index < count; index += 1) subject.start(`account ${index}`)('failure');
    },
    pass: (ms) => clock.pass(ms),
    async answer(isAnswered) {
      probes.shift()!(isAnswered);
      await new Promise((resolve) => setImmediate(resolve));
    },
    pause(value) {
      isPaused = value;
    },
  };
}

const times = (count: number, result: AttemptResult): AttemptResult[] =>
  Array.from({ length: count }, () => result);

describe('Breaker', () => {
  it('opens when too many recent attempts failed', () => {
    const { subject, states, make, fail } = breaker();
    fail(3);
    make('a', ...times(6, 'success'));
    fail(2);
    expect(states).toEqual([]);
    expect(subject.allows('account 0')).toBe(true);
    fail(2);
    expect(states).toEqual(['open']);
    expect(subject.allows('account 0')).toBe(false);
  });

  it('ignores attempts that were canceled', () => {
    const { states, make, fail } = breaker();
    fail(3);
    make('a', ...times(9, 'unknown'));
    expect(states).toEqual([]);
    fail(1);
    expect(states).toEqual(['open']);
  });

  it('opens when calls of several accounts fail, without a probe', () => {
    const { states, probes, make } = breaker();
    make('c', ...times(4, 'success'));
    make('a', ...times(2, 'failure'));
    make('b', ...times(2, 'failure'));
    expect(states).toEqual(['open']);
    expect(probes).toEqual([]);
  });

  it('stops only accounts that the node keeps failing until a probe has failed', async () => {
    const { subject, states, make, pass, answer } = breaker();
    const allowed = (): boolean[] => ['a', 'c', 'd'].map((name) => subject.allows(name));
    for (const account of ['a', 'b']) make(account, ...times(2, 'failure'));
    make('c', 'failure');
    expect(states).toEqual(['open']);
    expect(allowed()).toEqual([false, true, true]);
    make('c', 'failure');
    expect(allowed()).toEqual([false, false, true]);
    make('c', 'success');
    pass(1_000);
    expect(allowed()).toEqual([false, true, true]);
    await answer(false);
    expect(allowed()).toEqual([false, false, false]);
    pass(1_000);
    await answer(true);
    expect(allowed()).toEqual([true, true, true]);
  });

  it('stays closed whatever calls of one account fail, as long as probes are answered', async () => {
    const { subject, states, probes, make, answer } = breaker();
    for (let round = 0; round < 100; round += 1) {
      make('a', ...times(4, 'failure'));
      make('b', 'success');
      if (probes.length > 0) await answer(true);
    }
    expect(states).toEqual([]);
    expect(subject.allows('account 0')).toBe(true);
  });

  it('lets a probe decide when connections of any accounts are lost', async () => {
    const { subject, states, probes, make, fail, answer } = breaker();
    const lose = (...accounts: string[]): void => {
      for (const account of accounts) make(account, 'lost');
    };
    for (let round = 0; round < 100; round += 1) {
      lose('a', 'b', 'c');
      expect(probes).toHaveLength(1);
      await answer(true);
    }
    expect(states).toEqual([]);
    // They do not make the node one that fails for these accounts.
    fail(4);
    expect(['a', 'b', 'c'].map((name) => subject.allows(name))).toEqual([true, true, true]);
    const lost = breaker();
    lost.make('a', 'lost', 'lost');
    await lost.answer(false);
    expect(lost.states).toEqual(['open']);
  });

  it('counts the failures of other accounts as if that account made no calls', async () => {
    const { states, probes, make, answer } = breaker();
    make('a', ...times(40, 'failure'));
    while (probes.length > 0) await answer(true);
    make('b', 'failure');
    make('c', 'failure');
    expect(states).toEqual(['open']);
  });

  it('opens when calls of the only account fail and a probe fails too', async () => {
    const { states, probes, make, answer } = breaker();
    make('a', ...times(3, 'failure'));
    expect(probes).toHaveLength(0);
    make('a', 'failure');
    expect(probes).toHaveLength(1);
    make('a', ...times(40, 'failure'));
    expect(probes).toHaveLength(1);
    expect(states).toEqual([]);
    await answer(false);
    expect(states).toEqual(['open']);
  });

  it('probes the node after its time, and closes when the probe is answered', async () => {
    const { subject, states, probes, fail, pass, answer } = breaker();
    fail(4);
    pass(999);
    expect(probes).toHaveLength(0);
    pass(1);
    expect(probes).toHaveLength(1);
    await answer(true);
    expect(states).toEqual(['open', 'half-open', 'closed']);
    fail(3);
    expect(subject.allows('account 0')).toBe(true);
  });

  it('stays open longer after each failed probe, up to a maximum with jitter', async () => {
    const { states, probes, fail, pass, answer } = breaker();
    fail(4);
    for (const pause_ms of [1_000, 2_000, 4_000, 5_000, 5_000]) {
      pass(pause_ms - 1);
      expect(probes).toHaveLength(0);
      pass(1);
      expect(states.at(-1)).toBe('half-open');
      await answer(false);
      expect(states.at(-1)).toBe('open');
    }
    const sooner = breaker(0);
    sooner.fail(4);
    sooner.pass(750);
    expect(sooner.states).toEqual(['open', 'half-open']);
  });

  it('opens longer again when no call succeeded since a probe closed it', async () => {
    const { probes, make, fail, pass, answer } = breaker();
    for (const [pause_ms, result] of [
      [1_000, 'unknown'],
      [2_000, 'success'],
      [1_000, 'unknown'],
    ] as const) {
      fail(4);
      pass(pause_ms - 1);
      expect(probes).toHaveLength(0);
      pass(1);
      await answer(true);
      make('a', result);
    }
  });

  it('does not probe a node that asked not to be called', () => {
    const { states, probes, make, fail, pass, pause } = breaker();
    pause(true);
    make('a', ...times(4, 'failure'));
    expect(probes).toHaveLength(0);
    fail(2);
    pass(1_000);
    expect(states).toEqual(['open']);
    pause(false);
    pass(1_000);
    expect(states).toEqual(['open', 'half-open']);
  });

  it('ignores attempts that started before it opened', async () => {
    const { subject, states, fail, pass, answer } = breaker();
    const early = Array.from({ length: 12 }, (_, index) => subject.start(`account ${index}`));
    const end = (count: number): void => {
      for (const record of early.splice(0, count)) record('failure');
    };
    end(8);
    expect(states).toEqual(['open']);
    pass(1_000);
    end(2);
    await answer(true);
    end(2);
    fail(3);
    expect(states).toEqual(['open', 'half-open', 'closed']);
  });

  it('sends no more probes once stopped', async () => {
    const { subject, states, probes, fail, pass, answer } = breaker();
    fail(4);
    pass(1_000);
    subject.stop();
    await answer(false);
    pass(10_000);
    expect(probes).toHaveLength(0);
    expect(states).toEqual(['open', 'half-open']);
  });
});
