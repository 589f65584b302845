/**
 * Starts the whole product once for the tests that need it: `specgate dev` as its own process, on
 * free ports, with its state in a folder that is removed afterwards.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

export interface ProductNetwork {
  readonly http: string;
  readonly ws: string;
}

export interface Product {
  readonly key: string;
  readonly networks: {
    readonly evm: ProductNetwork;
    readonly solana: ProductNetwork;
    readonly archive: ProductNetwork;
  };
  readonly docs: string;
  readonly ops: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    product: Product;
  }
}

const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

const direct = [process.execPath, 'bin/specgate.js', 'dev'];

/** The command of a user. */
export const npmStart = ['npm', 'start', '--silent', '--'];

/** Starts the product on free ports; `stop` resolves to its exit code. */
export async function startProduct(command: readonly string[] = direct): Promise<{
  product: Product;
  pid: number;
  stop(): Promise<number | null>;
}> {
  const home = mkdtempSync(join(tmpdir(), 'specgate-test-'));
  const ports = Object.fromEntries(
    ['EVM_PORT', 'SOLANA_PORT', 'ARCHIVE_PORT', 'DOCS_PORT', 'OPS_PORT'].map((name) => [name, '0']),
  );
  const [program, ...args] = command;
  const child = spawn(program!, [...args, '--format', 'json'], {
    cwd: root,
    env: { ...process.env, ...ports, SPECGATE_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-20_000);
  });
  const lines = createInterface({ input: child.stdout });
  const ready = once(lines, 'line', { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }) as Promise<
    [string]
  >;
  const ended = once(child, 'exit').then(() => {
    throw new Error(`specgate dev ended before it was ready:\n${errors}`);
  });
  const [line] = await Promise.race([ready, ended]);
  ended.catch(() => {});
  return {
    product: JSON.parse(line) as Product,
    pid: child.pid!,
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      const exit = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
      child.kill('SIGTERM');
      await exit.catch(() => child.kill('SIGKILL'));
      rmSync(home, { recursive: true, force: true });
      return child.exitCode;
    },
  };
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { product, stop } = await startProduct();
  project.provide('product', product);
  return async () => {
    await stop();
  };
}
