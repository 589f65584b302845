import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StallWatch } from '../../src/transport/unsent-answers.ts';

describe('a stall watch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function watched(): { watch: StallWatch; state: { isBlocked: boolean }; stalls: () => number } {
    const state = { isBlocked: true };
    let stalls = 0;
    const onStall = (): void => void (stalls += 1);
    const watch = new StallWatch({ idle_ms: 100, isBlocked: () => state.isBlocked, onStall });
    return { watch, state, stalls: () => stalls };
  }

  it('reports a stall once when nothing is read for the idle time', () => {
    const { watch, stalls } = watched();
    watch.start();
    vi.advanceTimersByTime(60);
    watch.start();
    vi.advanceTimersByTime(39);
    expect(stalls()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(stalls()).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(stalls()).toBe(1);
  });

  it('reports no stall while something is read, or after it was stopped', () => {
    const { watch, stalls } = watched();
    watch.start();
    for (let slice = 0; slice < 10; slice += 1) {
      vi.advanceTimersByTime(99);
      watch.progress();
    }
    watch.stop();
    watch.progress();
    vi.advanceTimersByTime(1_000);
    expect(stalls()).toBe(0);
  });

  it('reports no stall while there is nothing to read yet', () => {
    const { watch, state, stalls } = watched();
    state.isBlocked = false;
    watch.start();
    vi.advanceTimersByTime(1_000);
    expect(stalls()).toBe(0);
    state.isBlocked = true;
    vi.advanceTimersByTime(100);
    expect(stalls()).toBe(1);
  });
});
