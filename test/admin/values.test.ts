import { describe, expect, it } from 'vitest';
import { formatCsv, formatTable } from '../../src/admin/text-table.ts';
import {
  readCount,
  readDay,
  readDuration,
  readFutureTime,
  formatTime,
} from '../../src/admin/values.ts';

const noon_ms = Date.parse('2026-11-21T12:00:00Z');

describe('a value on the command line', () => {
  it('is parsed as a duration', () => {
    expect(['0s', '30s', '15m', '12h', '90d'].map(readDuration)).toEqual([
      0, 30_000, 900_000, 43_200_000, 7_776_000_000,
    ]);
    for (const text of ['', '5', 'd', '-1d', '1.5h', '1w', '99999d']) {
      expect(() => readDuration(text)).toThrow(`invalid duration "${text}"`);
    }
  });

  it('is parsed as a future time', () => {
    expect(readFutureTime('2d', noon_ms)).toBe(noon_ms + 172_800_000);
    expect(readFutureTime('2030-01-31', noon_ms)).toBe(Date.parse('2030-01-31T00:00:00Z'));
    expect(readFutureTime('2030-01-31T12:00:00+02:00', noon_ms)).toBe(
      Date.parse('2030-01-31T10:00:00Z'),
    );
    expect(() => readFutureTime('2026-11-21', noon_ms)).toThrow('2026-11-21 is in the past');
    for (const text of ['tomorrow', '2030', '2030-13-01', '31.1.2030', '2030-01-31T12:00']) {
      expect(() => readFutureTime(text, noon_ms)).toThrow(`invalid time "${text}"`);
    }
  });

  it('is parsed as a date and as a count', () => {
    expect(readDay('2026-11-21')).toBe('2026-11-21');
    for (const text of ['2026-02-30', '2026-11-21T00:00:00Z', 'today']) {
      expect(() => readDay(text)).toThrow(`invalid date "${text}", expected YYYY-MM-DD`);
    }
    expect(readCount('15000000', 'x')).toBe(15_000_000);
    for (const text of ['0', '-1', '1.5', '1e3', '9999999999999999', '']) {
      expect(() => readCount(text, '--x')).toThrow(/^invalid --x "/);
    }
  });
});

describe('a table', () => {
  it('aligns its columns, numbers to the right', () => {
    expect(
      formatTable(
        ['name', 'n'],
        [
          ['a', 5],
          ['longer', 1_000],
        ],
      ),
    ).toBe('name       n\na          5\nlonger  1000');
    expect(formatTable(['name', 'n'], [])).toBe('name  n');
    expect([formatTime(noon_ms), formatTime(null)]).toEqual(['2026-11-21T12:00:00Z', '']);
  });

  it('is quoted as CSV where necessary', () => {
    expect(
      formatCsv(
        ['a', 'b'],
        [
          ['x,"y"', 5],
          ['', 'z'],
        ],
      ),
    ).toBe('a,b\n"x,""y""",5\n,z');
  });
});
