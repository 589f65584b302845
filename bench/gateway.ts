// CPU time and throughput of the gateway beside others, in one run: `npm run bench`.
import { cpus } from 'node:os';
import { BASELINE } from './contenders.ts';
import { renderFairness } from './fairness.ts';
import { CONNECTIONS } from './measure.ts';
import { readOptions, runBenchmark, type Options } from './options.ts';
import { planRounds, type Plan } from './rounds.ts';
import { run, subjects } from './run.ts';
import { renderTable } from './table.ts';

const USAGE = `usage: node bench/gateway.ts [--json] [--seconds N]

Measures CPU time and throughput of Specgate, a bare pass-through and @open-rpc/server-js, and how
Specgate serves one account alone and beside another account that floods it.
  --json        print JSON instead of tables
  --seconds N   warm up and measure for about N seconds in all, 1 to 600 (default 48)`;

function describe({ rounds, window_ms }: Plan): string {
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
  const windows = `medians of up to ${rounds} × ${Math.round(window_ms)} ms`;
  return `${machine}; ${CONNECTIONS} connections, ${windows}. Ratios are to the ${BASELINE}.\n`;
}

async function main({ json, seconds }: Options): Promise<void> {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interruption.abort(new Error('interrupted')));
  }
  const plan = planRounds(seconds, subjects);
  const measured = await run(plan, interruption.signal);
  const { rows, fairness } = measured;
  const tables = `${renderTable(rows, BASELINE)}\n${renderFairness(fairness)}`;
  console.log(json ? JSON.stringify(measured) : `${describe(plan)}\n${tables}`);
}

await runBenchmark(USAGE, () => main(readOptions({ min: 1, preset: 48 })));
