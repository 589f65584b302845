import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { createTextReader, type TextReader } from '../files/text.ts';
import { parseSource } from '../source/parse.ts';
import type { Source } from '../source/source.ts';
import { readProject } from './read.ts';
import { readRulesets } from './rulesets.ts';
import type { Project } from './schema.ts';
import type { ResolveEntry } from '../bundle/resolver.ts';

/** Names of a project file; the first existing one is read. */
export const projectFiles = ['specgate.config.yaml', 'specgate.config.yml', 'specgate.config.json'];

/** A project and the path of its file, as the user wrote it. */
export interface LoadedProject extends Omit<Project, 'resolve'> {
  readonly file: string;
  /** The rulesets, in the order in which they apply, and the file itself. */
  readonly sources: readonly Source[];
  readonly resolve: readonly ResolveEntry[];
}

/**
 * Reads a project file, by default the one of the folder, and makes its paths relative to `cwd`. Returns
 * null when none is named and none exists.
 *
 * @throws DocumentError when it cannot be read or used
 */
export async function loadProject(
  named: string | undefined,
  cwd: string = process.cwd(),
  reader: TextReader = createTextReader({ cwd }),
): Promise<LoadedProject | null> {
  const file = named ?? projectFiles.find((name) => existsSync(join(cwd, name)));
  if (file === undefined) return null;
  const source = parseSource(await reader.read(file));
  const rulesets = await readRulesets(source, { cwd, reader });
  const project = readProject(source, rulesets);
  const from = (path: string) => asPath(relative(cwd, resolve(cwd, dirname(file), path)) || '.');
  const documents = project.documents.map(({ document, out, options, ...rest }) => {
    const paths = (['guides', 'changelog', 'releases'] as const).flatMap((name) => {
      const path = options[name];
      return path === undefined ? [] : [[name, from(path)]];
    });
    return {
      ...rest,
      document: isUrl(document) ? document : from(document),
      out: from(out),
      options: { ...options, ...Object.fromEntries(paths) },
    };
  });
  const { baseline } = project.lint;
  const lint =
    baseline === undefined ? project.lint : { ...project.lint, baseline: from(baseline) };
  const entries: readonly ResolveEntry[] = Array.isArray(project.resolve)
    ? project.resolve.map((path: string) => ({ url: null, path: from(path) }))
    : Object.entries(project.resolve).map(([url, path]) => ({ url, path: from(path) }));
  const sources = [...rulesets, source];
  return { ...project, file, documents, lint, resolve: entries, sources };
}

/** Returns a path that is read neither as a URL nor as `REF:path`, even if it starts with "file:". */
export function asPath(path: string): string {
  // A drive of Windows has one letter.
  return /^[^:]{2,}:/.test(path) ? `./${path}` : path;
}

/** Checks for a URL, in contrast to a path. */
function isUrl(location: string): boolean {
  return /^(?:https?|file):/i.test(location);
}
