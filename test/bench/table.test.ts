import { describe, expect, it } from 'vitest';
import { renderChart } from '../../bench/chart.ts';
import { BASELINE, HTTP } from '../../bench/contenders.ts';
import { renderFairness } from '../../bench/fairness.ts';
import type { MeasuredRow } from '../../bench/figures.ts';
import { compareWithGoals, renderGoals, type GoalRow } from '../../bench/goals.ts';
import { renderTable } from '../../bench/table.ts';

function row(name: string, cpu: readonly number[], workload = 'small call'): MeasuredRow {
  const samples = cpu.map((cpu_us_per_request) => ({
    cpu_us_per_request,
    requests_per_s: 8_000,
    p50_ms: 0.5,
    p99_ms: 2.5,
  }));
  return { workload, name, connections: 64, samples };
}

it('the table shows each server beside the one it is measured against, by ratios within a round', () => {
  const rows = [
    row('bare', [80, 800, 100]),
    row('gateway', [120, 800, 170]),
    row('bare', [2_000.04], '1 MB result'),
  ];
  const text = renderTable(rows, ({ workload }) => rows.find((each) => each.workload === workload));
  expect(text.split('\n')).toEqual([
    'small call, 64 connections    CPU µs/request   ratio   lowest–highest   requests/s   p50 ms   p99 ms',
    '  bare                                   100    1.00        1.00–1.00        8,000     0.50     2.50',
    '  gateway                                170    1.50        1.00–1.70        8,000     0.50     2.50',
    '',
    '1 MB result, 64 connections   CPU µs/request   ratio   lowest–highest   requests/s   p50 ms   p99 ms',
    '  bare                                 2,000    1.00        1.00–1.00        8,000     0.50     2.50',
  ]);
});

describe('the goals of the benchmark', () => {
  const measured = [row(BASELINE, [100, 100, 100]), row(HTTP, [90, 110, 120])];

  it('are compared with the median of the ratios; what was not measured is said so', () => {
    const goals = compareWithGoals(measured, [
      { name: BASELINE, growth_bytes: 100, read_bytes: 1 },
      { name: HTTP, growth_bytes: 140, read_bytes: 1 },
    ]);
    const lines = renderGoals(goals).split('\n');
    expect(lines.find((line) => line.includes('small call, HTTP'))).toMatch(
      /1\.10 × +≤ 1\.15 × +met$/,
    );
    expect(lines.find((line) => line.includes('batch of 20, HTTP'))).toMatch(/– .+not measured$/);
    expect(lines.find((line) => line.includes('slow readers'))).toMatch(/1\.40 × .+ not met$/);
  });

  it('are drawn as bars for light and dark pages, each as long as its part of the goal', () => {
    const goal = (name: string, median: number): GoalRow => ({
      name,
      unit: '×',
      measured: { median, min: median, max: median },
      max: 0.5,
    });
    const missing = { ...goal('not measured', 1), measured: null };
    const svg = renderChart([goal('half of it', 0.25), goal('twice', 1), missing]);
    const bars = [...svg.matchAll(/class="(met|missed)" .*width="([\d.]+)"/g)];
    expect(bars.map(([, kind]) => kind)).toEqual(['met', 'missed']);
    expect(Number(bars[1]![2]) / Number(bars[0]![2])).toBeCloseTo(4, 1);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).not.toContain('not measured');
  });
});

it('the table of fairness shows an account beside a flood by its ratio to the account alone', () => {
  const rows = [
    { name: 'alone', ms_per_call: 100, answered_percent: 100 },
    { name: 'beside a flood', ms_per_call: 125, answered_percent: 99.5 },
  ];
  expect(renderFairness(rows).split('\n')).toEqual([
    'one account, a node of 100 ms   ms/call   ratio   answered',
    '  alone                           100.0    1.00    100.0 %',
    '  beside a flood                  125.0    1.25     99.5 %',
  ]);
});
