import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const folders: string[] = [];

/** Removes what `temporaryFolder` has made: asked of it after each file of tests. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A folder of its own with these files in it, removed after the tests of the file. */
export function temporaryFolder(files: Iterable<readonly [string, string]> = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'specgate-test-'));
  folders.push(folder);
  for (const [path, text] of files) writeInto(folder, path, text);
  return folder;
}

export function writeInto(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const STRICT = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: [],
    // Checking the compiler's own files takes most of the time.
    skipDefaultLibCheck: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    noEmit: true,
  },
  include: ['**/*.ts'],
};

/** What the strict compiler says against the TypeScript in `folder`: "" when nothing. */
export function typeErrors(folder: string): string {
  writeInto(folder, 'tsconfig.json', JSON.stringify(STRICT));
  writeInto(folder, 'package.json', '{"type":"module"}');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], {
    encoding: 'utf8',
  });
  return status === 0 ? '' : stdout + stderr;
}

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line of the project. */
export function specgate(
  args: readonly string[],
  options: { cwd?: string; input?: string; env?: Readonly<Record<string, string>> } = {},
): CommandResult {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'bin/specgate.js'), ...args],
    { encoding: 'utf8', ...options, env: { ...process.env, ...options.env } },
  );
  return { status, stdout, stderr };
}
