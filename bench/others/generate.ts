import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureOf, runNode } from './run.ts';

const require = createRequire(import.meta.url);
const specgate = fileURLToPath(new URL('../../bin/specgate.ts', import.meta.url));
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
