import { expect, it } from 'vitest';
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
