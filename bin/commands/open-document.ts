import { describeDiagnostic } from '../../common/diagnostic.ts';
import type { ResolveEntry } from '../../generator/bundle/resolver.ts';
import { loadDocument, type LoadedDocument, type LoadOptions } from '../../generator/document.ts';
import { createTextReader, type TextReader } from '../../generator/files/text.ts';
import { loadProject } from '../../generator/project/load.ts';
import { warn } from './verb.ts';

export interface OpenOptions extends LoadOptions {
  /** The project file. */
  readonly config?: string | undefined;
}

/** Loads a document and prints a warning for each broken part that is left out. */
export async function openDocument(
  location: string,
  options: OpenOptions,
  reader: TextReader = createTextReader({ stdin: process.stdin }),
): Promise<LoadedDocument> {
  const resolve = await readResolve(options, reader);
  const loaded = await loadDocument(location, reader, { ...options, resolve });
  for (const omission of loaded.omissions) {
    warn(`warning: ${describeDiagnostic(omission)} (${omission.effect})`);
  }
  return loaded;
}

/** Returns the entries of `--resolve`, followed by those of the project file. */
export async function readResolve(
  { config, resolve = [] }: Pick<OpenOptions, 'config' | 'resolve'>,
  reader: TextReader,
): Promise<readonly ResolveEntry[]> {
  const project = await loadProject(config, process.cwd(), reader);
  return [...resolve, ...(project?.resolve ?? [])];
}
