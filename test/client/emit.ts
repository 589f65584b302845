import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../common/json/value.ts';
import { createTextReader } from '../../generator/files/text.ts';
import { loadModel } from '../../generator/document.ts';
import { buildModel } from '../../generator/model/build.ts';
import { renderClient } from '../../generator/targets/client/target.ts';
import type { Rendered } from '../../generator/targets/target.ts';

const run = promisify(execFile);
const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** Renders the client package of a document or of the document at a path. */
export async function emit(document: unknown): Promise<Rendered> {
  const model =
    typeof document === 'string'
      ? await loadModel(document, createTextReader())
      : buildModel(structuredClone(document) as JsonObject);
  return renderClient(model, { source: 'openrpc.json' });
}

/** A client package on disk. */
export interface EmittedPackage extends AsyncDisposable {
  readonly folder: string;
  write(file: string, text: string): Promise<void>;
  /** Compiles a project of the package; returns the errors of tsc. */
  compile(project: string): Promise<string>;
  /** Runs a file of the package with Node; returns its output. */
  run(file: string, env?: Readonly<Record<string, string>>): Promise<string>;
}

/** Writes a document's client package to a temporary folder. */
export async function emitPackage(document: unknown): Promise<EmittedPackage> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'specgate-client-')));
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  for (const [file, text] of await emit(document)) await write(file, text);
  return {
    folder,
    write,
    compile: async (project) => {
      try {
        const args = [tsc, '-p', project, '--skipDefaultLibCheck'];
        await run(process.execPath, args, { cwd: folder });
        return '';
      } catch (error) {
        return String((error as { readonly stdout?: string }).stdout ?? error);
      }
    },
    run: async (file, env = {}) => {
      const { stdout } = await run(process.execPath, [file], {
        cwd: folder,
        env: { ...process.env, ...env },
      });
      return stdout;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A strict project of a user of the built package, such as `check/tsconfig.json`. */
export const consumerProject = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    outDir: 'out',
    rootDir: '.',
  },
  include: ['.'],
});
