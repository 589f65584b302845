import { startChild } from './child.ts';
import { contendersOf } from './contenders.ts';

/** Calls in flight at once. */
export const HELD_CALLS = 10_000;

export interface Memory {
  readonly name: string;
  readonly bytes_per_call: number;
}

/** What each client's calls in flight take, over a WebSocket, each client in a process of its own. */
export async function measureMemory(host: string): Promise<readonly Memory[]> {
  const rows: Memory[] = [];
  for (const { name } of contendersOf('WebSocket')) {
    const child = await startChild('hold.ts', name, host, String(HELD_CALLS));
    rows.push({ name, bytes_per_call: Number(child.line) / HELD_CALLS });
    await child.stop();
  }
  return rows;
}
