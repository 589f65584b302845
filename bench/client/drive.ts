/** Makes calls with one client, in a process of its own: `drive.ts NAME WORKLOAD HOST`. */
import { serveParent } from '../parent.ts';
import { openContender, type Workload } from './contenders.ts';
import type { Sample } from './speed.ts';

/** Calls under way at once: one after another in so many lanes, or so many together in a batch. */
const LANES = 64;
const BATCH = 100;

const [name = '', workload = '', host = ''] = process.argv.slice(2);
const caller = openContender(name, host, workload as Workload);

/** Makes calls for so long. */
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

serveParent({ run: runWindow });
