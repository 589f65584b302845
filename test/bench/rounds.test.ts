import { describe, expect, it } from 'vitest';
import { planRounds, runRounds } from '../../bench/rounds.ts';

const subjects = { workloads: ['small', 'large'], names: ['one', 'other'] };
const sample = (value: number): { cpu_us_per_request: number; requests_per_s: number } => ({
  cpu_us_per_request: value,
  requests_per_s: 1 / value,
});

describe('the rounds of a benchmark', () => {
  it('measure the servers in turn within each workload, again in each round', async () => {
    const order: string[] = [];
    await runRounds(
      subjects,
      { warmUps: 1, rounds: 1, limit_ms: 60_000 },
      async (workload, name) => {
        order.push(`${subjects.workloads[workload]} ${subjects.names[name]}`);
        return sample(1);
      },
    );
    const round = ['small one', 'small other', 'large one', 'large other'];
    expect(order).toEqual([...round, ...round]);
  });

  it('give medians, and do not count a round that warms up', async () => {
    const values = [1_000, 1_000, 1_000, 1_000, 3, 8, 5, 5, 1, 9, 5, 5, 2, 7, 5, 5];
    let at = 0;
    const rows = await runRounds(subjects, { warmUps: 1, rounds: 3, limit_ms: 60_000 }, async () =>
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

  it('end early when time is over, but not before one has counted', async () => {
    let count = 0;
    await runRounds(subjects, { warmUps: 1, rounds: 5, limit_ms: -1 }, async () =>
      sample((count += 1)),
    );
    expect(count).toBe(2 * 4);
  });

  it('share the seconds out to all windows, those of the warm-up included', () => {
    const { warmUps, rounds, window_ms } = planRounds(36, 12);
    expect((warmUps + rounds) * 12 * window_ms).toBeCloseTo(36_000);
  });
});
