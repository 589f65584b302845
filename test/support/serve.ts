/** Runs `specgate serve --config` in a process of its own, for nodes that a test started. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const READY_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 90_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Serving {
  /** Base address of the first network: `http://127.0.0.1:PORT`. */
  readonly base: string;
  /** Base addresses of all networks. */
  readonly bases: readonly string[];
  readonly ops: string;
  readonly folder: string;
  readonly pid: number;
  /** Returns the end of its log. */
  log(): string;
  /** Writes another configuration and reloads it; resolves to the log line with the outcome. */
  reload(config: object | string): Promise<string>;
  /** Stops it; resolves to its exit code. */
  stop(): Promise<number | null>;
}

export interface ServeOptions {
  /** For the configuration and the store; not removed by `stop`. */
  readonly folder?: string;
  readonly workers?: number;
  /** Command of a shell that the process runs first, e.g. to lower a limit. */
  readonly before?: string;
}

const LOG_LETTERS = 100_000;
const RELOAD_TIMEOUT_MS = 90_000;

/** Starts it with a configuration, to which a store and a free operations port are added. */
export async function serve(config: object, options: ServeOptions = {}): Promise<Serving> {
  const { folder = mkdtempSync(join(tmpdir(), 'specgate-serve-')), workers = 1 } = options;
  const file = join(folder, 'specgate.yaml');
  const defaults = { store: join(folder, 'store.sqlite'), ops: { port: 0 } };
  // JSON is YAML.
  const write = (text: object | string): void =>
    writeFileSync(file, typeof text === 'string' ? text : JSON.stringify({ ...defaults, ...text }));
  write(config);
  const args = ['serve', '--config', file, '--format', 'json', '--workers', String(workers)];
  const command = [process.execPath, 'bin/specgate.js', ...args];
  const [program = '', ...rest] = [
    'sh',
    '-c',
    `${options.before ?? ':'}; exec "$0" "$@"`,
    ...command,
  ];
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log = (log + chunk).slice(-LOG_LETTERS);
  });
  const ready = once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(READY_TIMEOUT_MS),
  }) as Promise<[string]>;
  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    throw new Error(`specgate serve ended with ${String(code)} before it was ready:\n${log}`);
  });
  const [line] = await Promise.race([ready, ended]).catch((error: unknown) => {
    child.kill('SIGKILL');
    if (options.folder === undefined) removeFolder(folder);
    throw error;
  });
  ended.catch(() => {});
  const output = JSON.parse(line) as { networks: { http: string }[]; ops: string };
  return {
    base: output.networks[0]!.http,
    bases: output.networks.map(({ http }) => http),
    ops: output.ops,
    folder,
    pid: child.pid!,
    log: () => log,
    async reload(next) {
      const outcomes = (): string[] =>
        log.match(/^.*(?:configuration reloaded|reload rejected).*$/gm) ?? [];
      const before = outcomes().length;
      const expired = AbortSignal.timeout(RELOAD_TIMEOUT_MS);
      write(next);
      child.kill('SIGHUP');
      while (outcomes().length === before) {
        await once(child.stderr, 'data', { signal: expired }).catch(() => {
          throw new Error(`nothing was reloaded:\n${log}`);
        });
      }
      return outcomes().at(-1)!;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
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
