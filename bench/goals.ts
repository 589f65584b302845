import { BASELINE, HTTP, IN_PROCESS, WS } from './contenders.ts';
import { ratioOf, type MeasuredRow } from './figures.ts';
import type { Sample } from './measure.ts';
import { READERS, type MemoryRow } from './memory.ts';
import { CONNECTIONS } from './rows.ts';
import { spreadOf, type Spread } from './rounds.ts';
import { formatRows } from './table.ts';

type Key = readonly [workload: string, name: string];

/** A figure that should not exceed a maximum: of a row, divided by that of another. */
interface Goal {
  readonly name: string;
  readonly row: Key;
  /** Absent: the figure itself counts. */
  readonly to?: Key;
  readonly figure: keyof Sample;
  readonly max: number;
}

const BARE_CALL: Key = ['small call', BASELINE];
const CPU = 'cpu_us_per_request';

/** In the order of the table. */
const goals: readonly Goal[] = [
  {
    name: 'small call, WebSocket upstream',
    row: ['small call', WS],
    to: BARE_CALL,
    figure: CPU,
    max: 0.75,
  },
  {
    name: 'small call, HTTP upstream',
    row: ['small call', HTTP],
    to: BARE_CALL,
    figure: CPU,
    max: 1.15,
  },
  {
    name: 'batch of 20, WebSocket upstream',
    row: ['batch of 20', WS],
    to: ['batch of 20', BASELINE],
    figure: CPU,
    max: 2.5,
  },
  {
    name: 'batch of 20, HTTP upstream',
    row: ['batch of 20', HTTP],
    to: ['batch of 20', BASELINE],
    figure: CPU,
    max: 2.5,
  },
  {
    name: '1 MB result, HTTP upstream',
    row: ['1 MB result', HTTP],
    to: ['1 MB result', BASELINE],
    figure: CPU,
    max: 1.3,
  },
  {
    name: 'caller on WebSocket, beside HTTP',
    row: ['caller on WebSocket', HTTP],
    to: ['small call', HTTP],
    figure: CPU,
    max: 0.6,
  },
  {
    name: 'result answered from the cache',
    row: ['answered from the cache', HTTP],
    to: BARE_CALL,
    figure: CPU,
    max: 0.6,
  },
  {
    name: 'p99 at half load, HTTP upstream',
    row: ['half load', HTTP],
    to: ['half load', BASELINE],
    figure: 'p99_ms',
    max: 1.5,
  },
  {
    name: 'validate + price + reserve',
    row: ['validate + price + reserve', IN_PROCESS],
    figure: CPU,
    max: 3,
  },
];

const MEMORY_GOAL = { name: `memory at ${READERS} slow readers, HTTP upstream`, max: 1.3 };

export interface GoalRow {
  readonly name: string;
  /** `×`: a ratio; the bare pass-through is 1 where the name says nothing else. */
  readonly unit: '×' | 'µs';
  /** Null when the row was not measured. */
  readonly measured: Spread | null;
  readonly max: number;
}

/** Compares what was measured with the goals. */
export function compareWithGoals(
  rows: readonly MeasuredRow[],
  memory: readonly MemoryRow[],
): readonly GoalRow[] {
  const find = ([workload, name]: Key): MeasuredRow | undefined =>
    rows.find(
      (row) => row.workload === workload && row.name === name && row.connections === CONNECTIONS,
    );
  const compared = goals.map(({ name, row, to, figure, max }): GoalRow => {
    const [one, other] = [find(row), to && find(to)];
    const unit = to === undefined ? 'µs' : '×';
    if (one === undefined || (to !== undefined && other === undefined)) {
      return { name, unit, measured: null, max };
    }
    const measured =
      other === undefined
        ? spreadOf(one.samples.map((sample) => sample[figure]))
        : ratioOf(one, other, figure);
    return { name, unit, measured, max };
  });
  const [growth, bare] = [HTTP, BASELINE].map(
    (name) => memory.find((row) => row.name === name)?.growth_bytes,
  );
  const measured = growth === undefined ? null : spreadOf([growth / bare!]);
  return [...compared, { ...MEMORY_GOAL, unit: '×', measured }];
}

export function isMet({ measured, max }: GoalRow): boolean | null {
  return measured === null ? null : measured.median <= max;
}

export function renderGoals(rows: readonly GoalRow[]): string {
  const lines = rows.map((row) => {
    const { name, measured, max, unit } = row;
    const [found, met] =
      measured === null
        ? ['–', 'not measured']
        : [`${measured.median.toFixed(2)} ${unit}`, isMet(row) === true ? 'met' : 'not met'];
    return [`  ${name}`, found, `≤ ${max} ${unit}`, met];
  });
  return formatRows([['goals', 'measured', 'goal', ''], ...lines]);
}
