import { expect, it } from 'vitest';
import { renderFairness } from '../../bench/fairness.ts';
import { renderTable } from '../../bench/table.ts';

it('the table shows each server beside the one it is measured against, by ratio', () => {
  const rows = [
    { workload: 'small call', name: 'bare', cpu_us_per_request: 80, requests_per_s: 10_000 },
    { workload: 'small call', name: 'gateway', cpu_us_per_request: 120, requests_per_s: 8_000 },
    { workload: 'large result', name: 'bare', cpu_us_per_request: 2_000.04, requests_per_s: 200 },
    { workload: 'large result', name: 'gateway', cpu_us_per_request: 1_000, requests_per_s: 400 },
  ];
  expect(renderTable(rows, 'bare')).toBe(
    [
      'small call     CPU µs/request   ratio   requests/s   ratio',
      '  bare                     80    1.00       10,000    1.00',
      '  gateway                 120    1.50        8,000    0.80',
      '',
      'large result   CPU µs/request   ratio   requests/s   ratio',
      '  bare                  2,000    1.00          200    1.00',
      '  gateway               1,000    0.50          400    2.00',
      '',
    ].join('\n'),
  );
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
