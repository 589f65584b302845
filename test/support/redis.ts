/** A Redis or Valkey server for tests, on a free port; it is stopped afterwards. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { guardChild } from '../../src/devnet/evm/child-guard.ts';
import { freePort } from './free-port.ts';

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const program = ['valkey-server', 'redis-server'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

export const hasRedis = program !== undefined;

export async function startRedis(port?: number): Promise<RedisServer> {
  const at = port ?? (await freePort());
  const settings = [
    '--port',
    String(at),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const child = spawn(program!, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  guardChild(child);
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('Ready to accept connections')) break;
  }
  child.stdout.resume();
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(stop);
  return { url: `redis://127.0.0.1:${at}`, pid: child.pid!, stop };
}
