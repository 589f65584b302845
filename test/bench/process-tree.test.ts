import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { canMeterTrees, cpuOfTree_us } from '../../bench/process-tree.ts';

const SPIN_MS = 100;
/** Starts a process that uses the processor, waits for it, and then waits for the end. */
const PARENT = `
  const { spawn } = require('node:child_process');
  const spin = 'const end = process.cpuUsage().user + ${SPIN_MS} * 1000;' +
    'while (process.cpuUsage().user < end); console.log("done"); setInterval(() => {}, 1000)';
  const child = spawn(process.execPath, ['-e', spin], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.on('SIGTERM', () => { child.kill(); process.exit(); });
`;

it.runIf(canMeterTrees)('the CPU time of a process tree contains that of descendants', async () => {
  const parent = spawn(process.execPath, ['-e', PARENT], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    const exited = once(parent, 'exit');
    parent.kill('SIGTERM');
    await exited;
  });
  await once(parent.stdout, 'data');
  expect(cpuOfTree_us(parent.pid!)).toBeGreaterThan(SPIN_MS * 1000);
});
