/**
 * Makes calls with one client, in a process of its own so that none pays for another's garbage:
 * `drive.ts NAME WORKLOAD HOST`. For each line it reads, a time in milliseconds, it calls for so long
 * and prints a `Sample` as JSON.
 */
import { createInterface } from 'node:readline';
import { openContender, type Workload } from './contenders.ts';
import type { Sample } from './speed.ts';

/** Calls under way at once: one after another in so many lanes, or so many together in a batch. */
const LANES = 64;
const BATCH = 100;

const [name = '', workload = '', host = ''] = process.argv.slice(2);
const caller = openContender(name, host, workload as Workload);

async function runWindow(window_ms: number): Promise<Sample> {
  const started_ms = performance.now();
  const cpu = process.cpuUsage();
  const ends_ms = started_ms + window_ms;
  let calls = 0;
  const callOne = async (): Promise<void> => {
    calls += 1;
    await caller.call('eth_getBlockByNumber', [`0x${calls.toString(16)}`, false]);
  };
  if (workload === 'HTTP batched') {
    while (performance.now() < ends_ms) await Promise.all(Array.from({ length: BATCH }, callOne));
  } else {
    const lane = async (): Promise<void> => {
      while (performance.now() < ends_ms) await callOne();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    calls_per_s: (calls * 1000) / (performance.now() - started_ms),
    cpu_us_per_call: (user + system) / calls,
  };
}

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await runWindow(Number(line))));
}
await caller.close();
process.exit();
