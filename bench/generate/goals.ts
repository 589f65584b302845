import type { Cost } from './run.ts';

export interface Row extends Cost {
  /** Null for the project of this repository. */
  readonly methods: number | null;
  readonly program: string;
  /** Heaviest page of a method, gzip; null for other programs than the docs. */
  readonly page_bytes: number | null;
}

export interface Goal {
  readonly goal: string;
  readonly reached: string;
  readonly isMet: boolean;
}

/** A goal counts as linear up to this: ten times the methods in twelve times the CPU. */
const LINEAR = 1.2;
const LARGEST = 5000;
const OURS = ['lint', 'generate', 'diff', 'docs'];
const GB = 1024 ** 3;

/** Compares rows with the goals; goals whose rows were not measured are left out. */
export function compareGoals(rows: readonly Row[]): readonly Goal[] {
  const largest = (program: string) =>
    rows.filter((row) => row.methods === LARGEST && row.program === program);
  const cold = (program: string) =>
    rows.filter((row) => row.methods === null && row.program === program);
  return [
    ...OURS.flatMap((program) => growthGoals(rows, program)),
    ...largest('generate').map((row) => cpuGoal(row, 20_000)),
    ...largest('docs').map((row) => cpuGoal(row, 60_000)),
    ...OURS.flatMap(largest).map(memoryGoal),
    ...largest('docs').map(pageGoal),
    ...cold('lint openrpc.json').map((row) => cpuGoal(row, 500)),
    ...cold('check').map((row) => cpuGoal(row, 1500)),
  ];
}

/** CPU for each method, beyond that of the smallest document, which is the start of the process. */
function growthGoals(rows: readonly Row[], program: string): readonly Goal[] {
  const own = rows.filter((row) => row.program === program && row.failure === null);
  const [start, middle, end] = [10, 1000, LARGEST].map((methods) =>
    own.find((row) => row.methods === methods),
  );
  if (start === undefined || middle === undefined || end === undefined) return [];
  const perMethod = (row: Row) => (row.cpu_ms - start.cpu_ms) / (row.methods! - start.methods!);
  const ratio = perMethod(end) / perMethod(middle);
  const goal = `${program}: CPU of a method of 5,000 ≤ ${LINEAR} × that of 1,000`;
  return [{ goal, reached: `${ratio.toFixed(2)} ×`, isMet: ratio <= LINEAR }];
}

function cpuGoal(row: Row, max_ms: number): Goal {
  const goal = `${nameOf(row)}: CPU ≤ ${max_ms / 1000} s`;
  const reached = row.failure ?? `${(row.cpu_ms / 1000).toFixed(2)} s`;
  return { goal, reached, isMet: row.failure === null && row.cpu_ms <= max_ms };
}

function memoryGoal(row: Row): Goal {
  const { failure, memory_bytes } = row;
  const reached = failure ?? `${((memory_bytes ?? 0) / GB).toFixed(2)} GB`;
  const isMet = failure === null && memory_bytes !== null && memory_bytes <= GB;
  return { goal: `${nameOf(row)}: memory ≤ 1 GB`, reached, isMet };
}

function pageGoal(row: Row): Goal {
  const size_kb = (row.page_bytes ?? 0) / 1024;
  const isMet = row.failure === null && size_kb <= 60;
  const reached = row.failure ?? `${size_kb.toFixed(1)} KB`;
  return { goal: `${nameOf(row)}: a page of a method ≤ 60 KB gzip`, reached, isMet };
}

function nameOf({ methods, program }: Row): string {
  return methods === null ? program : `${program}, ${methods} methods`;
}
