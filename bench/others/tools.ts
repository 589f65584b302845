import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const specgate = fileURLToPath(new URL('../../bin/specgate.js', import.meta.url));
const official = join(dirname(require.resolve('@open-rpc/generator/package.json')), 'build/cli.js');

/** Writes targets of `cwd`/openrpc.json to `cwd`/ours; why not, when it fails. */
export async function generateOurs(cwd: string, ...targets: string[]): Promise<string | undefined> {
  const chosen = targets.length === 0 ? [] : ['--target', ...targets];
  const args = [specgate, 'generate', 'openrpc.json', '--out', 'ours', ...chosen];
  return failureOf(await runNode(args, cwd));
}

export interface Component {
  readonly type: 'client' | 'server' | 'docs';
  readonly language: string;
}

/** Writes a component of the official generator to `cwd`/theirs; why not, when it fails. */
export async function generateTheirs(
  cwd: string,
  component: Component,
): Promise<string | undefined> {
  const components = [{ ...component, name: 'theirs' }];
  const config = { openrpcDocument: './openrpc.json', outDir: 'theirs', components };
  await writeFile(join(cwd, 'config.json'), JSON.stringify(config));
  const args = ['--max-old-space-size=2048', official, 'generate', '-c', 'config.json'];
  return failureOf(await runNode(args, cwd));
}

/** Generous, so that a busy machine does not change the outcome. */
const LIMIT_MS = 600_000;

/** How a Node program ended. */
interface Ended {
  /** Null when it was killed: out of time or memory. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runNode(args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Returns in short why a program failed; undefined when it did not. */ function failureOf({
  code,
  stderr,
  stdout,
}: Ended): string | undefined {
  if (code === 0) return undefined;
  if (/heap out of memory/.test(stderr)) return 'out of memory';
  const output = `${stderr}\n${stdout}`;
  // The program is not to blame where the machine has no network.
  if (/url was not resolvable/.test(output)) return 'needs the network';
  const line = output.split('\n').find((each) => /error/i.test(each)) ?? '';
  return code === null ? 'no end' : `fails: ${line.trim().slice(0, 60)}`;
}
