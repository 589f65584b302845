// CPU time and throughput of the gateway beside others, in one run: `npm run bench`.
import { cpus } from 'node:os';
import { MEASURE } from './contenders.ts';
import { renderFairness } from './fairness.ts';
import { CONNECTIONS } from './measure.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { planRounds, type Plan } from './rounds.ts';
import { run, subjects } from './run.ts';
import { renderTable } from './table.ts';

function describe({ rounds, window_ms }: Plan): string {
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
  const windows = `medians of up to ${rounds} × ${Math.round(window_ms)} ms`;
  return `${machine}; ${CONNECTIONS} connections, ${windows}. Ratios are to the ${MEASURE}.\n`;
}

async function main({ json, seconds }: Options): Promise<void> {
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => interruption.abort(new Error('interrupted')));
  }
  const plan = planRounds(seconds, subjects);
  try {
    const measured = await run(plan, interruption.signal);
    const { rows, fairness } = measured;
    const tables = `${renderTable(rows, MEASURE)}\n${renderFairness(fairness)}`;
    console.log(json ? JSON.stringify(measured) : `${describe(plan)}\n${tables}`);
  } catch (error) {
    console.error(`bench: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  console.error(`bench: ${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}
