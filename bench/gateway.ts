// CPU time, throughput and latency of the gateway beside others, in one run: `npm run bench`.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { renderChart } from './chart.ts';
import { checkDriver } from './check-driver.ts';
import { BASELINE, contenders } from './contenders.ts';
import { renderFairness } from './fairness.ts';
import { compareWithGoals, renderGoals, type GoalRow } from './goals.ts';
import { renderMemory } from './memory.ts';
import { readOptions, runBenchmark, UsageError } from './options.ts';
import { baselineOf, describeRow, rows, selectRows } from './rows.ts';
import { planRounds, type Plan } from './rounds.ts';
import { run, type Measured } from './run.ts';
import { renderTable } from './table.ts';

const USAGE = `usage: node bench/gateway.ts [--only TEXT,…] [--seconds N] [--json] [--svg FILE]
                             [--profile FOLDER] [--check-driver]

Measures Specgate, a bare pass-through, nginx, fastify with undici, and @open-rpc/server-js, and how
Specgate serves slow readers and one account beside another that floods it. Ends with a table of the
goals.
  --only TEXT,…     only rows that contain a text, such as "batch" or "small call: specgate ws: 64"
  --seconds N       warm up and measure for about N seconds in all, 1 to 600 (default 150)
  --json            print JSON instead of tables
  --svg FILE        write the table of the goals as a chart, for light and dark pages
  --profile FOLDER  write a CPU profile of each row whose server is one Node process
  --check-driver    compare our load generator with autocannon, and with wrk where it is installed`;

function describe({ rounds, window_ms }: Plan): string {
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
  const windows = `medians of up to ${rounds} × ${Math.round(window_ms)} ms`;
  const missing = contenders
    .filter(({ missing: reason }) => reason)
    .map(({ name, missing: reason }) => `${name} (${reason})`);
  const ratios = `Ratios are of CPU time, to the ${BASELINE} of the same round.`;
  const leftOut = missing.length === 0 ? '' : `\nLeft out: ${missing.join(', ')}.`;
  return `${machine}; ${windows}. ${ratios}${leftOut}`;
}

async function main(): Promise<void> {
  const options = readOptions(
    { min: 1, preset: 150 },
    {
      only: { type: 'string' },
      svg: { type: 'string' },
      profile: { type: 'string' },
      'check-driver': { type: 'boolean' },
    },
  );
  const { json, seconds } = options;
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interruption.abort(new Error('interrupted')));
  }
  const { signal } = interruption;
  if (options['check-driver'] === true) return checkDriver(seconds, signal);
  const { only, svg, profile: profiles } = options;
  const selected = selectRows(only?.split(/,\s*/) ?? []);
  if (selected.length === 0) throw new UsageError(`--only: no row contains ${only}`);
  if (profiles !== undefined) await mkdir(profiles, { recursive: true });
  const plan = planRounds(seconds, selected.length);
  const isPartial = selected.length < rows.length;
  const measured = await run(selected, { plan, isPartial, profiles, signal });
  const goals = compareWithGoals(measured.rows, measured.memory);
  if (svg !== undefined) await writeFile(svg, renderChart(goals));
  if (json) return console.log(JSON.stringify({ ...measured, goals }));
  console.log([describe(plan), ...render(measured, goals)].join('\n\n'));
}

/** The tables; of the goals only those that were measured when only some rows were. */
function render({ rows: found, memory, fairness }: Measured, goals: readonly GoalRow[]): string[] {
  const byName = new Map(found.map((row) => [describeRow(row), row]));
  const table = renderTable(found, (row) => byName.get(describeRow(baselineOf(row))));
  if (memory.length > 0) {
    return [table, renderMemory(memory), renderFairness(fairness), renderGoals(goals)];
  }
  return [table, renderGoals(goals.filter(({ measured }) => measured !== null))];
}

await runBenchmark(USAGE, main);
