/** `specgate serve --config` as its own process, in front of nodes the test started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Serving {
  /** Base address of the first network: `http://127.0.0.1:PORT`. */
  readonly base: string;
  readonly ops: string;
  readonly folder: string;
  stop(): Promise<number | null>;
}

/** Starts it with the given configuration; a store in a folder of its own, which `stop` keeps when it was given. */
export async function serve(
  config: object,
  folder = mkdtempSync(join(tmpdir(), 'specgate-serve-')),
): Promise<Serving> {
  const file = join(folder, 'specgate.yaml');
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({ store: join(folder, 'store.sqlite'), ops: { port: 0 }, ...config }),
  );
  const child = spawn(
    process.execPath,
    ['bin/specgate.ts', 'serve', '--config', file, '--format', 'json'],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-10_000);
  });
  const ready = once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(READY_TIMEOUT_MS),
  }) as Promise<[string]>;
  const ended = once(child, 'exit').then(() => {
    throw new Error(`specgate serve ended before it was ready:\n${errors}`);
  });
  const [line] = await Promise.race([ready, ended]);
  ended.catch(() => {});
  const told = JSON.parse(line) as { networks: { http: string }[]; ops: string };
  return {
    base: told.networks[0]!.http,
    ops: told.ops,
    folder,
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      const exit = once(child, 'exit', { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) });
      child.kill('SIGTERM');
      await exit.catch(() => child.kill('SIGKILL'));
      return child.exitCode;
    },
  };
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
