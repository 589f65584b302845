/**
 * Time, CPU and memory of lint, generate, diff and docs on documents whose schemas reach each other,
 * beside the official generator, and of `lint` and `check` on this repository: each a process of its
 * own. CPU includes the processes that it starts; memory does not. Rows of several rounds are medians.
 * Prints the goals last.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareGoals, type Goal, type Row } from './generate/goals.ts';
import { coldPrograms, heaviestPage_bytes, prepare, programs } from './generate/programs.ts';
import { runBenchmark, UsageError } from './options.ts';
import { median } from './rounds.ts';
import { runMeasured, type Cost } from './generate/run.ts';

const USAGE = `Usage: npm run bench:generate -- [options]

  --json           print JSON
  --only <name>    one program: ${[...Object.keys(programs), 'cold'].join(', ')}
  --methods <n>    one number of methods instead of 10, 100, 1000 and 5000
  --rounds <n>     rounds of the cold rows, 1 to 50 (default 5)`;

const COLD = 'cold';
const SIZES = [10, 100, 1000, 5000];
const MAX_METHODS = 20_000;
const MAX_ROUNDS = 50;
const root = fileURLToPath(new URL('..', import.meta.url));

function readOptions() {
  try {
    return parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        only: { type: 'string' },
        methods: { type: 'string' },
        rounds: { type: 'string', default: '5' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readCount(text: string, { name, max }: { name: string; max: number }): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new UsageError(`${name}: expected 1 to ${max}, got ${text}`);
}

async function measureSize(methods: number, program: string): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'specgate-bench-'));
  try {
    prepare(folder, methods);
    const cost = await runMeasured(programs[program]!, folder);
    const isSite = program === 'docs' && cost.failure === null;
    return { methods, program, ...cost, page_bytes: isSite ? heaviestPage_bytes(folder) : null };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCold(rounds: number): Promise<readonly Row[]> {
  const costs = new Map<string, Cost[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [program, args] of Object.entries(coldPrograms)) {
      costs.set(program, [...(costs.get(program) ?? []), await runMeasured(args, root)]);
    }
  }
  return [...costs].map(([program, all]) => ({
    methods: null,
    program,
    failure: all.find(({ failure }) => failure !== null)?.failure ?? null,
    wall_ms: median(all.map(({ wall_ms }) => wall_ms)),
    cpu_ms: median(all.map(({ cpu_ms }) => cpu_ms)),
    memory_bytes: median(all.map(({ memory_bytes }) => memory_bytes ?? 0)),
    page_bytes: null,
  }));
}

function printRow(row: Row): void {
  const { methods, program, failure, wall_ms, cpu_ms, memory_bytes, page_bytes } = row;
  const megabytes = memory_bytes === null ? '–' : `${Math.round(memory_bytes / 1024 ** 2)} MB`;
  printCells(methods === null ? '–' : String(methods), program, [
    `${(wall_ms / 1000).toFixed(2)} s`,
    `${(cpu_ms / 1000).toFixed(2)} s`,
    megabytes,
    page_bytes === null ? '' : `${(page_bytes / 1024).toFixed(1)} KB`,
    failure === null ? '' : `  ${failure}`,
  ]);
}

function printCells(methods: string, program: string, cells: readonly string[]): void {
  const figures = cells.map((cell) => cell.padStart(11)).join('');
  console.log(`${methods.padStart(7)}  ${program.padEnd(20)}${figures}`.trimEnd());
}

function printGoals(goals: readonly Goal[]): void {
  console.log('\nGoals');
  for (const { goal, reached, isMet } of goals) {
    console.log(`  ${isMet ? 'met   ' : 'missed'}  ${goal}: ${reached}`);
  }
}

async function main(): Promise<void> {
  const { json, only, methods, rounds: text } = readOptions();
  const rounds = readCount(text, { name: '--rounds', max: MAX_ROUNDS });
  const names = Object.keys(programs).filter((name) => only === undefined || name === only);
  const isCold = only === undefined || only === COLD;
  if (names.length === 0 && !isCold) throw new UsageError(`--only: unknown program "${only}"`);
  const sizes =
    methods === undefined ? SIZES : [readCount(methods, { name: '--methods', max: MAX_METHODS })];
  if (!json) {
    console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}\n`);
    printCells('methods', 'program', ['wall', 'CPU', 'memory', 'page, gzip']);
  }
  const rows: Row[] = [];
  const add = (more: readonly Row[]): void => {
    rows.push(...more);
    if (!json) more.forEach(printRow);
  };
  if (isCold) add(await measureCold(rounds));
  for (const size of names.length === 0 ? [] : sizes) {
    for (const name of names) add([await measureSize(size, name)]);
  }
  if (json) console.log(JSON.stringify({ rows, goals: compareGoals(rows) }, null, 2));
  else printGoals(compareGoals(rows));
}

await runBenchmark(USAGE, main);
