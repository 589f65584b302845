import { describe, expect, it } from 'vitest';
import { planRounds, runRounds, spreadOf } from '../../bench/rounds.ts';

const subjects = ['one', 'other'];
const plan = { warmUp_ms: 0, rounds: 1, window_ms: 10, limit_ms: 60_000 };

describe('the rounds of a benchmark', () => {
  it('measure the subjects in turn, again in each round', async () => {
    const order: string[] = [];
    const samples = await runRounds(subjects, { ...plan, rounds: 2 }, async (name, window_ms) => {
      order.push(`${name} ${window_ms}`);
      return order.length;
    });
    expect(order).toEqual(['one 10', 'other 10', 'one 10', 'other 10']);
    expect([...samples]).toEqual([
      ['one', [1, 3]],
      ['other', [2, 4]],
    ]);
  });

  it('begin with a warm-up of every subject, which is not counted', async () => {
    const windows: number[] = [];
    const samples = await runRounds(subjects, { ...plan, warmUp_ms: 100 }, async (_, window_ms) => {
      windows.push(window_ms);
      return windows.length;
    });
    expect(windows).toEqual([50, 50, 10, 10]);
    expect([...samples.values()]).toEqual([[3], [4]]);
  });

  it('end early when time is up, but not before one was counted', async () => {
    let count = 0;
    await runRounds(subjects, { ...plan, rounds: 5, limit_ms: -1 }, async () => (count += 1));
    expect(count).toBe(2);
  });

  it.each([1, 8, 48])('divide %d seconds among all windows and warm-ups', (seconds) => {
    const { warmUp_ms, rounds, window_ms } = planRounds(seconds, 4);
    expect(warmUp_ms + rounds * 4 * window_ms).toBeCloseTo(seconds * 1000);
  });

  it('are summed up by their median, lowest and highest value', () => {
    expect(spreadOf([3, 8, 5])).toEqual({ median: 5, min: 3, max: 8 });
    expect(spreadOf([1, 2])).toEqual({ median: 1.5, min: 1, max: 2 });
  });
});
