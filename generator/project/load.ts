import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readProject } from './read.ts';
import { projectFiles, type Project } from './schema.ts';
import { createTextReader, type TextReader } from '../files/text.ts';

export interface ProjectOptions {
  /** Folder to look in; paths are relative to it. */
  readonly cwd?: string;
  /** The project file, where it is not one of the names that are looked for. */
  readonly file?: string;
  readonly reader?: TextReader;
}

/** A project and where it was read. */
export interface LoadedProject extends Project {
  /** As the user calls it. */
  readonly file: string;
}

/**
 * Reads the project file of a folder, its paths made relative to `cwd`; null when there is none and
 * none was named.
 *
 * @throws DocumentError when it cannot be read or used
 */
export async function loadProject({
  cwd = process.cwd(),
  file = projectFiles.find((name) => existsSync(join(cwd, name))),
  reader = createTextReader({ cwd }),
}: ProjectOptions = {}): Promise<LoadedProject | null> {
  if (file === undefined) return null;
  const project = readProject(await reader.read(file));
  const from = (path: string) => relative(cwd, resolve(cwd, dirname(file), path)) || '.';
  return {
    ...project,
    file,
    documents: project.documents.map((each) => ({
      ...each,
      document: /^(?:https?|file):/i.test(each.document) ? each.document : from(each.document),
      out: from(each.out),
      options: {
        ...each.options,
        ...(each.options.guides === undefined ? {} : { guides: from(each.options.guides) }),
        ...(each.options.changelog === undefined
          ? {}
          : { changelog: from(each.options.changelog) }),
        ...(each.options.releases === undefined ? {} : { releases: from(each.options.releases) }),
      },
    })),
  };
}
