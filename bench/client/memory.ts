import { join } from 'node:path';
import { startChild } from '../child-process.ts';
import { contendersOf } from './contenders.ts';

/** Calls in flight at once. */
export const HELD_CALLS = 10_000;

export interface Memory {
  readonly name: string;
  readonly bytes_per_call: number;
}

const HOLDER = join(import.meta.dirname, 'hold.ts');

/** Measures the memory that each client takes for calls in flight over a WebSocket. */
export async function measureMemory(host: string): Promise<readonly Memory[]> {
  const rows: Memory[] = [];
  for (const { name } of contendersOf('WebSocket')) {
    const args = ['--expose-gc', HOLDER, name, host, String(HELD_CALLS)];
    const child = await startChild(name, args);
    rows.push({ name, bytes_per_call: Number(child.firstLine) / HELD_CALLS });
    await child.stop();
  }
  return rows;
}
