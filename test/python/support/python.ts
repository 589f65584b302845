/** The Python at hand, and packages generated for it. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../../common/json/value.ts';
import { buildModel } from '../../../generator/model/build.ts';
import { renderPython } from '../../../generator/targets/python/target.ts';
import type { Rendered } from '../../../generator/targets/target.ts';
import { hasProgram, printSkip } from '../../support/programs.ts';

const execute = promisify(execFile);

/** What generated packages declare: `requires-python`. */
const MINIMUM = [3, 11];

const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python'];

/** The version of a Python, [3, 11]; null where it cannot be used. */
function versionOf(command: string): readonly number[] | null {
  try {
    const [major = 0, minor = 0] = execFileSync(
      command,
      ['-c', 'import sys; print(*sys.version_info[:2])'],
      { stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000, encoding: 'utf8' },
    )
      .split(' ')
      .map(Number);
    const isDeclared = major === MINIMUM[0] && minor >= MINIMUM[1]!;
    return isDeclared ? [major, minor] : null;
  } catch {
    return null;
  }
}

/** The first Python on PATH that generated packages declare to work with; null where there is none. */
export const python: string | null =
  CANDIDATES.find((command) => versionOf(command) !== null) ?? null;

/** Commands of all such Pythons on PATH, by version ("3.11"). */
export function findPythons(): ReadonlyMap<string, string> {
  const found = CANDIDATES.flatMap((command): [string, string][] => {
    const version = versionOf(command);
    return version === null ? [] : [[version.join('.'), command]];
  });
  return new Map(found.toReversed());
}

/** Whether a type checker is at hand too. */
export const hasMypy = hasProgram('mypy', 'the types of the Python client');

/** What mypy says of files, strictly; "" when it is content. */
export async function checkTypes(args: readonly string[], path: string): Promise<string> {
  const cache = await mkdtemp(join(tmpdir(), 'specgate-mypy-'));
  try {
    const strict = ['--strict', '--no-error-summary', '--python-version', '3.11'];
    const env = { ...process.env, MYPYPATH: path };
    await execute('mypy', [...strict, '--cache-dir', cache, ...args], { env });
    return '';
  } catch (error) {
    return String((error as { readonly stdout?: string }).stdout ?? error);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

if (python === null) {
  printSkip('the Python client', 'there is no python3 of 3.11 or newer on PATH');
}

/** The folder that has the package of openrpc.json. */
export const ownPackage = join(import.meta.dirname, '../../../generated/python/src');

/** What a run of Python printed, and how it ended. */
export interface PythonRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Python; `path` is where it finds packages. Nothing is left beside the sources. */
export async function runPython(
  args: readonly string[],
  {
    path = ownPackage,
    timeoutMs = 60_000,
    command = python!,
  }: { path?: string; timeoutMs?: number; command?: string } = {},
): Promise<PythonRun> {
  const env = {
    ...process.env,
    PYTHONPATH: path,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
  };
  try {
    const { stdout, stderr } = await execute(command, args, {
      env,
      timeout: timeoutMs,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const failed = error as {
      readonly code?: number;
      readonly stdout?: string;
      readonly stderr?: string;
    };
    const { code, stdout = '', stderr = String(error) } = failed;
    return { code: typeof code === 'number' ? code : -1, stdout, stderr };
  }
}

/** The Python package of a document, by path within the package. */
export function emitPython(document: unknown): Rendered {
  return renderPython(buildModel(structuredClone(document) as JsonObject), {
    source: 'openrpc.json',
  });
}

/** A package on disk. */
export interface PythonPackage extends AsyncDisposable {
  readonly folder: string;
  /** Where Python finds it. */
  readonly path: string;
  /** What it is imported as. */
  readonly module: string;
}

/** Writes a document's Python package into a folder of its own. */
export async function writePython(document: unknown): Promise<PythonPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'specgate-python-')));
  let module = '';
  for (const [file, text] of emitPython(document)) {
    module ||= /^src\/([^/]+)\//.exec(file)?.[1] ?? '';
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return {
    folder,
    path: join(folder, 'src'),
    module,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
