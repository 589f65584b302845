import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { promisify } from 'node:util';
import { decodeText } from '../source/decode.ts';
import type { SourceText } from '../source/source.ts';
import type { TextReader } from './text.ts';

const run = promisify(execFile);

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** Files of a commit have addresses of their own, so that references lead to files of that commit. */
const SCHEME = 'gitref:///';

/**
 * Reads `REF:path` (a path of the working folder, as it was in a commit) through git, and everything
 * else through `reader`. A file that is called so comes first.
 */
export function withGitRefs(reader: TextReader, cwd: string = process.cwd()): TextReader {
  return {
    async read(location, options) {
      if (location.startsWith(SCHEME)) return readUrl(location, cwd);
      const [, ref, path] = /^([^:\s]+):(?!\/\/)(.+)$/s.exec(location) ?? [];
      const isRef = ref !== undefined && path !== undefined && ref.length > 1;
      if (!isRef || location.startsWith('file:') || existsSync(resolve(cwd, location))) {
        return reader.read(location, options);
      }
      const prefix = await git(['rev-parse', '--show-prefix'], { name: location, cwd });
      const inRepository = posix.join(prefix.trim(), path.replaceAll('\\', '/'));
      const text = await readFileOf({ ref, path: inRepository, name: location }, cwd);
      return { name: location, url: urlOf(ref, inRepository), text };
    },
  };
}

function urlOf(ref: string, path: string): string {
  const parts = [ref, ...path.split('/')].map(encodeURIComponent);
  return `${SCHEME}${parts.join('/')}`;
}

async function readUrl(url: string, cwd: string): Promise<SourceText> {
  const [ref = '', ...parts] = url.slice(SCHEME.length).split('/').map(decodeURIComponent);
  const path = parts.join('/');
  const name = `${ref}:${path}`;
  return { name, url, text: await readFileOf({ ref, path, name }, cwd) };
}

interface Blob {
  readonly ref: string;
  readonly path: string;
  readonly name: string;
}

function readFileOf({ ref, path, name }: Blob, cwd: string): Promise<string> {
  return git(['show', '--end-of-options', `${ref}:${path}`], { name, cwd });
}

async function git(
  args: readonly string[],
  from: { readonly name: string; readonly cwd: string },
): Promise<string> {
  return decodeText(await readGit(args, from), from.name);
}

async function readGit(
  args: readonly string[],
  { name, cwd }: { readonly name: string; readonly cwd: string },
): Promise<Uint8Array> {
  try {
    const options = { cwd, maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS, encoding: 'buffer' } as const;
    return (await run('git', args as string[], options)).stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: unknown };
    const reason = String(stderr)
      .trim()
      .split('\n')[0]!
      .replace(/^fatal: /, '');
    const message =
      code === 'ENOENT' ? 'git is not installed' : `git cannot read it (${reason || String(code)})`;
    const fix = 'check the name of the commit and the path';
    throw new DocumentError([unusable(wholeFile(name), { message, fix })]);
  }
}
