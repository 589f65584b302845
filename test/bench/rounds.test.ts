import { describe, expect, it } from 'vitest';
import { planRounds, runRounds } from '../../bench/rounds.ts';

const subjects = { workloads: ['small', 'large'], names: ['one', 'other'] };
const sample = (value: number): { cpu_us_per_request: number; requests_per_s: number } => ({
  cpu_us_per_request: value,
  requests_per_s: 1 / value,
});

const plan = { warmUp_ms: 0, rounds: 1, window_ms: 10, limit_ms: 60_000 };

describe('the rounds of a benchmark', () => {
  it('measure the servers in turn within each workload, again in each round', async () => {
    const order: string[] = [];
    await runRounds(subjects, { ...plan, rounds: 2 }, async (workload, name, window_ms) => {
      order.push(`${subjects.workloads[workload]} ${subjects.names[name]} ${window_ms}`);
      return sample(1);
    });
    const round = ['small one 10', 'small other 10', 'large one 10', 'large other 10'];
    expect(order).toEqual([...round, ...round]);
  });

  it('return medians', async () => {
    const values = [3, 8, 5, 5, 1, 9, 5, 5, 2, 7, 5, 5];
    let at = 0;
    const rows = await runRounds(subjects, { ...plan, rounds: 3 }, async () =>
      sample(values[at++]!),
    );
    expect(
      rows.map(({ workload, name, cpu_us_per_request }) => [workload, name, cpu_us_per_request]),
    ).toEqual([
      ['small', 'one', 2],
      ['small', 'other', 8],
      ['large', 'one', 5],
      ['large', 'other', 5],
    ]);
  });

  it('begin with a warm-up of every server, which is not counted', async () => {
    const windows: number[] = [];
    const rows = await runRounds(subjects, { ...plan, warmUp_ms: 100 }, async (...args) => {
      windows.push(args[2]);
      return sample(windows.length <= 4 ? 1_000 : 1);
    });
    expect(windows.slice(0, 4)).toEqual([70, 30, 70, 30].map((ms) => expect.closeTo(ms)));
    expect(new Set(rows.map((row) => row.cpu_us_per_request))).toEqual(new Set([1]));
  });

  it('end early when time is up, but not before one was counted', async () => {
    let count = 0;
    await runRounds(subjects, { ...plan, rounds: 5, limit_ms: -1 }, async () =>
      sample((count += 1)),
    );
    expect(count).toBe(4);
  });

  it.each([1, 8, 48])('divide %d seconds among all windows and warm-ups', (seconds) => {
    const { warmUp_ms, rounds, window_ms } = planRounds(seconds, subjects);
    expect(2 * warmUp_ms + rounds * 4 * window_ms).toBeCloseTo(seconds * 1000);
  });
});
