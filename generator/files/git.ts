import { execFile } from 'node:child_process';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { decodeUri, encodeUri } from '../../common/json/pointer.ts';
import { decodeText } from '../source/decode.ts';
import type { TextReader } from './text.ts';

const run = promisify(execFile);

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/**
 * A folder made by someone else may contain a git configuration that names programs: that of a
 * nested repository (from a clone), or its own (from an archive).
 */
const SAFE_CONFIG = ['-c', 'safe.bareRepository=explicit', '-c', 'core.fsmonitor=false'];

/** No protocol at all: a partial clone would run the programs of its remotes to fetch what it lacks. */
// oxlint-disable-next-line node/no-process-env
const SAFE_ENV = { ...process.env, GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' };

/**
 * URLs of files in a commit, whose host is the commit, so that relative references resolve to files of that
 * commit and of no other.
 */
const PROTOCOL = 'gitref:';

/** No commit begins with a dot or a slash: `./a:b.json` is a path. */
const REF_PATH = /^(?![./])([^:\s]{2,}):(?!\/\/)(.+)$/s;

/** Returns the commit of a document by its URL, or null. */
export function refOfUrl(url: string): string | null {
  const parsed = URL.parse(url);
  return parsed?.protocol === PROTOCOL ? decodeUri(parsed.host) : null;
}

/**
 * Returns a reader for `REF:path`, a path of the working folder as it was in a commit, which it reads
 * through git. It reads everything else through `reader`. A file with such a name is read only as
 * `./REF:path`: a pull request could add one, and be compared with it instead of the commit. A document
 * cannot name a commit: only its relative references are read through git, if it is itself in a commit.
 */
export function withGitRefs(reader: TextReader, cwd: string = process.cwd()): TextReader {
  /** The commits that were named as `REF:path`. */
  const named = new Set<string>();
  const git = async (name: string, ...args: readonly string[]) =>
    decodeText(await runGit(args, { name, cwd }), name);
  // `git show` would run programs of the git configuration for anything but a file.
  const readBlob = (name: string, ref: string, path: string) =>
    git(name, 'cat-file', 'blob', '--end-of-options', `${ref}:${path}`);
  return {
    async read(location, options) {
      const known = refOfUrl(location);
      if (known !== null && named.has(known)) {
        const path = new URL(location).pathname.slice(1).split('/').map(decodeUri).join('/');
        const name = `${known}:${path}`;
        return { name, url: location, text: await readBlob(name, known, path) };
      }
      const parsed = options?.from === undefined ? parseRefPath(location) : null;
      if (parsed === null) return reader.read(location, options);
      const { ref, path } = parsed;
      named.add(ref);
      const prefix = await git(location, 'rev-parse', '--show-prefix');
      const inRepository = posix.join(prefix.trim(), path.replaceAll('\\', '/'));
      const [host = '', ...parts] = [ref, ...inRepository.split('/')].map(encodeUri);
      const url = `${PROTOCOL}//${host}/${parts.join('/')}`;
      return { name: location, url, text: await readBlob(location, ref, inRepository) };
    },
    async list(location) {
      const parsed = parseRefPath(location);
      if (parsed === null) return (await reader.list?.(location)) ?? [location];
      const { ref, path } = parsed;
      // Paths are relative to the working folder. An older commit may not have the folder.
      const args = ['ls-tree', '-r', '-z', '--name-only', '--end-of-options', ref, '--', path];
      const listed = await git(location, ...args);
      return listed.split('\0').flatMap((each) => (each === '' ? [] : [`${ref}:${each}`]));
    },
  };
}

/** Returns the parts of `REF:path`, or null for other locations. */
function parseRefPath(location: string) {
  const [, ref = '', path = ''] = REF_PATH.exec(location) ?? [];
  if (ref === '' || ref === 'file') return null;
  // A regular expression, which may take exponential time; a project file can contain such a location.
  if (ref.includes('^{/')) {
    const message = 'a search for the text of a commit message is not supported';
    const fix = 'name a commit, branch or tag';
    throw new DocumentError([unusable(wholeFile(location), { message, fix })]);
  }
  return { ref, path };
}

const LISTS = {
  tracked: ['--cached', '--others', '--exclude-standard'],
  ignored: ['--others', '--ignored', '--exclude-standard'],
};

/**
 * Lists the files below `cwd`, with slashes: those that git tracks or would add, or those that it
 * ignores. Packages are left out. Returns null where git has no repository, or is not installed.
 */
export async function listGitFiles(
  cwd: string,
  which: keyof typeof LISTS,
): Promise<readonly string[] | null> {
  const paths = ['--', ':(exclude)**/node_modules/**', ':(exclude)node_modules/**'];
  try {
    const listed = await runGit(['ls-files', '-z', ...LISTS[which], ...paths], { name: cwd, cwd });
    return decodeText(listed, cwd).split('\0').filter(Boolean);
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

async function runGit(
  args: readonly string[],
  { name, cwd }: { readonly name: string; readonly cwd: string },
): Promise<Uint8Array> {
  try {
    const limits = { maxBuffer: MAX_BYTES, timeout: TIMEOUT_MS, encoding: 'buffer' } as const;
    const options = { ...limits, cwd, env: SAFE_ENV };
    return (await run('git', [...SAFE_CONFIG, ...args], options)).stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: unknown };
    const said = String(stderr).trim();
    const [line = ''] = said.split('\n');
    const isPartial = /lazy fetching disabled|transport '[^'\n]*' not allowed/.test(said);
    const reason = isPartial
      ? 'this clone lacks it'
      : line.replace(/^fatal: |\.$/g, '') || String(code);
    const message = code === 'ENOENT' ? 'git is not installed' : `git cannot read it (${reason})`;
    const fix = isPartial
      ? 'fetch it with git first'
      : 'check the commit and the path, or write ./ before the path of a file';
    throw new DocumentError([unusable(wholeFile(name), { message, fix })]);
  }
}
