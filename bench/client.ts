// Size, speed and memory of the generated client beside others, in one run: `npm run bench:client`.
import { cpus } from 'node:os';
import { startChild } from './child-process.ts';
import { contendersOf, BASELINE, WORKLOADS } from './client/contenders.ts';
import { HELD_CALLS, measureMemory, type Memory } from './client/memory.ts';
import { measureSizes, type Size } from './client/size.ts';
import { measureSpeed, type Speed } from './client/speed.ts';
import { fileAt } from './contenders.ts';
import { readOptions, runBenchmark, type Options } from './options.ts';
import { format, formatRows } from './table.ts';

const USAGE = `usage: node bench/client.ts [--json] [--seconds N]

Measures the generated client beside viem, ethers, @solana/kit and @open-rpc/client-js.
  --json        print JSON instead of tables
  --seconds N   measure speed for about N seconds in all, 2 to 600 (default 36)`;

/** Rounds that count, and the one that warms up; clients and workloads. */
const ROUNDS = 5;
const WINDOWS =
  (ROUNDS + 1) * WORKLOADS.reduce((sum, workload) => sum + contendersOf(workload).length, 0);

function describeSizes(sizes: readonly Size[]): string {
  const rows = sizes.map(({ name, minified_bytes, gzipped_bytes }) => [
    name,
    format(minified_bytes),
    format(gzipped_bytes),
  ]);
  return formatRows([['bundle of one call', 'minified', 'gzipped'], ...rows]);
}

function describeSpeeds(speeds: readonly Speed[]): string {
  const rows = speeds.map(({ workload, name, calls_per_s, cpu_us_per_call }) => {
    const one = speeds.find((each) => each.workload === workload && each.name === BASELINE)!;
    return [
      `${workload}, ${name}`,
      format(calls_per_s),
      format(calls_per_s / one.calls_per_s, 2),
      format(cpu_us_per_call, 1),
      format(cpu_us_per_call / one.cpu_us_per_call, 2),
    ];
  });
  return formatRows([['', 'calls/s', `to ${BASELINE}`, 'CPU µs/call', `to ${BASELINE}`], ...rows]);
}

function describeMemory(memory: readonly Memory[]): string {
  const rows = memory.map(({ name, bytes_per_call }) => [
    name,
    format(bytes_per_call),
    format((bytes_per_call * HELD_CALLS) / 2 ** 20, 1),
  ]);
  return formatRows([
    [`${format(HELD_CALLS)} calls in flight`, 'bytes a call', 'MiB in all'],
    ...rows,
  ]);
}

async function main({ json, seconds }: Options): Promise<void> {
  const server = await startChild('server', [fileAt('client/server.ts')]);
  const { host } = new URL(server.firstLine);
  try {
    const sizes = await measureSizes();
    const window_ms = (seconds * 1000) / WINDOWS;
    const speeds = await measureSpeed(host, { rounds: ROUNDS, window_ms });
    const memory = await measureMemory(host);
    if (json) {
      console.log(JSON.stringify({ sizes, speeds, memory }));
      return;
    }
    const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}`;
    const windows = `medians of ${ROUNDS} × ${Math.round(window_ms)} ms, client by client in turn`;
    console.log(`${machine}; ${windows}.\n`);
    console.log(
      [describeSizes(sizes), describeSpeeds(speeds), describeMemory(memory)].join('\n\n'),
    );
  } finally {
    await server.stop();
  }
}

await runBenchmark(USAGE, () => main(readOptions({ min: 2, preset: 36 })));
