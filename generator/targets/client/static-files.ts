import { readdirSync, readFileSync } from 'node:fs';

const runtimeFolder = new URL('./runtime/', import.meta.url);

/** The sources every client has, whatever its document: file name to text, in order of names. */
export function readRuntime(): ReadonlyMap<string, string> {
  const names = readdirSync(runtimeFolder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .toSorted();
  return new Map(names.map((name) => [name, readFileSync(new URL(name, runtimeFolder), 'utf8')]));
}

/** How the package is compiled for publication. */
export function readCompilerOptions(): string {
  return readFileSync(new URL('./templates/tsconfig.json', import.meta.url), 'utf8');
}
