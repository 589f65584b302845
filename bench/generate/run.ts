import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAX_RUN_MS = 180_000;
const MAX_HEAP_MB = 2048;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const MAX_KEPT_CHARACTERS = 10_000;

/** What one run of a program took. */
export interface Cost {
  /** Why it did not end well; null when it did. */
  readonly failure: string | null;
  readonly wall_ms: number;
  /** User and system time of the process and of those it started. */
  readonly cpu_ms: number;
  /** Peak of the process itself, without those it started; null when it was killed. */
  readonly memory_bytes: number | null;
}

// `times` prints the time of the shell, then that of its children.
const SCRIPT = '"$@" >/dev/null; code=$?; times; exit $code';

/** Runs `node <args>` in a folder, with bounds of time and heap. */
export async function runMeasured(args: readonly string[], cwd: string): Promise<Cost> {
  const memoryFile = join(tmpdir(), `specgate-memory-${process.pid}.txt`);
  await rm(memoryFile, { force: true });
  const hook = new URL('record-memory.ts', import.meta.url).href;
  const node = [process.execPath, `--max-old-space-size=${MAX_HEAP_MB}`, '--import', hook];
  const start_ms = performance.now();
  const { code, stdout, stderr } = await execute(['-c', SCRIPT, 'sh', ...node, ...args], {
    cwd,
    env: { ...process.env, MEMORY_FILE: memoryFile },
  });
  const memory = existsSync(memoryFile) ? await readFile(memoryFile, 'utf8') : null;
  await rm(memoryFile, { force: true });
  return {
    failure: failureOf(code, stderr),
    wall_ms: performance.now() - start_ms,
    cpu_ms: readTimes(stdout),
    memory_bytes: memory === null ? null : Number(memory),
  };
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The shell leads a process group, so that what it runs is stopped with it. */
async function execute(args: readonly string[], place: Place): Promise<Ended> {
  const child = spawn('/bin/sh', args, {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const stop = () => process.kill(-child.pid!, 'SIGKILL');
  const timer = setTimeout(stop, MAX_RUN_MS);
  const interrupt = () => {
    stop();
    process.exit(1);
  };
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const kept = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      kept[name] = (kept[name] + text).slice(-MAX_KEPT_CHARACTERS);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  for (const signal of SIGNALS) process.off(signal, interrupt);
  return { code, ...kept };
}

/** Findings (1) are not a failure of the program. */
function failureOf(code: number | null, stderr: string): string | null {
  if (/heap out of memory/.test(stderr)) return 'out of memory';
  if (code === null) return 'out of time';
  if (code <= 1 && !/Error/.test(stderr)) return null;
  const line = stderr.split('\n').find((each) => /error/i.test(each)) ?? `exit code ${code}`;
  return line.trim().slice(0, 60);
}

/** Reads the second line, "0m1.50s 0m0.25s". */
function readTimes(text: string): number {
  const [, children = ''] = text.trim().split('\n');
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return times.reduce((sum, [, min, s]) => sum + (Number(min) * 60 + Number(s)) * 1000, 0);
}
