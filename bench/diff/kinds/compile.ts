/**
 * Whether code that callers wrote still compiles against newly generated code: for each pair of
 * documents, a program that sends what the older types allow, reads what they promise, and imports the
 * names they export is compiled by tsc against the types and errors generated from the newer document.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTargets } from '../../../generator/targets/index.ts';
import { toLoaded } from '../document.ts';
import type { Graft } from './graft.ts';
import { reduce } from './reduce.ts';
import { isOwn, ownLineOf, programOf } from './program.ts';

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const MAX_COMPILE_MS = 600_000;
/** Methods that are kept where the document as a whole has changed. */
const KEPT_METHODS = 3;

const require = import.meta.resolve;
const tsc = join(dirname(fileURLToPath(require('typescript/package.json'))), 'bin/tsc');

const compilerOptions = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: 'nodenext',
  target: 'es2022',
  types: [],
  skipDefaultLibCheck: true,
};

/** Returns for each pair whether the program of the older document no longer compiles. */
export async function compileCallers(grafts: readonly Graft[]): Promise<readonly boolean[]> {
  const folder = await mkdtemp(join(tmpdir(), 'specgate-callers-'));
  try {
    for (const [index, graft] of grafts.entries())
      await writeProgram(join(folder, `${index}`), graft);
    const config = { compilerOptions, include: ['*/caller.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const failed = grafts.map(() => new Set<number>());
    for (const line of (await compile(folder)).split('\n')) {
      const [, index, file, number] = /^(\d+)[\\/](\w+)\.ts\((\d+)/.exec(line) ?? [];
      if (index === undefined) continue;
      if (file !== 'caller') throw new Error(`generated code does not compile: ${line}`);
      failed[Number(index)]!.add(Number(number));
    }
    // A caller cannot have written a line that does not compile with the older types either.
    return failed.map((lines) =>
      [...lines].some((line) => !isOwn(line) && !lines.has(ownLineOf(line))),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compile(folder: string): Promise<string> {
  const options = { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES, timeout: MAX_COMPILE_MS };
  return new Promise((resolve, reject) => {
    const args = [tsc, '-p', '.', '--pretty', 'false'];
    execFile(process.execPath, args, options, (error, stdout) => {
      // tsc exits with 1 or 2 if it found errors.
      if (error !== null && typeof error.code !== 'number') reject(error);
      else resolve(stdout);
    });
  });
}

async function writeProgram(folder: string, graft: Graft): Promise<void> {
  await mkdir(folder);
  const names = methodsIn(graft);
  const models = await Promise.all(
    [graft.old, graft.new].map(async (document) => {
      return (await toLoaded(reduce(document, names))).model;
    }),
  );
  const [types, errors] = await loadTargets(['types', 'errors']);
  for (const [index, model] of models.entries()) {
    const side = ['old', 'new'][index]!;
    const options = { source: 'openrpc.json' };
    const texts = [await types!.render(model, options), await errors!.render(model, options)];
    await writeFile(join(folder, `${side}.ts`), texts[0]!.get('types.ts')!);
    await writeFile(join(folder, `${side}Errors.ts`), texts[1]!.get('errors.ts')!);
  }
  await writeFile(join(folder, 'caller.ts'), programOf(models[0]!, graft.old));
}

function methodsIn({ old, methods }: Graft): ReadonlySet<string> {
  const first = old.methods.slice(0, KEPT_METHODS).map(({ name }) => name);
  return new Set(methods.length > 0 ? methods : first);
}
