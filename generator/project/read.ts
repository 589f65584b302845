import { relative, resolve } from 'node:path/posix';
import { problemAt } from '../bundle/places.ts';
import { DocumentError } from '../problem/problem.ts';
import { parseSource } from '../source/parse.ts';
import type { SourceText } from '../source/source.ts';
import type { Complaint } from '../validation/complaint.ts';
import { complaintsOf } from '../validation/zod-issues.ts';
import { isSite, projectSchema, type Project } from './schema.ts';

/**
 * Reads a project file, YAML or JSON; an empty one is a project that says nothing.
 *
 * @throws DocumentError with every setting that is not as it has to be, and where it stands
 */
export function readProject(text: SourceText): Project {
  const source = parseSource(text);
  const refuse = (complaints: readonly Complaint[]) => {
    if (complaints.length === 0) return;
    throw new DocumentError(
      complaints.map(({ pointer, ...told }) => problemAt({ source, pointer }, told)),
    );
  };
  const read = projectSchema.safeParse(source.value ?? {});
  if (!read.success) {
    refuse(read.error.issues.flatMap(complaintsOf));
    throw read.error;
  }
  refuse([...findSharedFolders(read.data), ...findMixedSites(read.data)]);
  return read.data;
}

/** Stands for the folder of the project file, whose place is not known here. */
const SOMEWHERE = '/of/the/project/file';

// What is not of a document is removed from its folder, or told as orphaned: two cannot share one.
function findSharedFolders({ documents }: Project): readonly Complaint[] {
  const folders = documents.map(({ out }) => resolve(SOMEWHERE, out.replaceAll('\\', '/')));
  return documents.flatMap(({ out }, index): Complaint[] => {
    const other = folders
      .slice(0, index)
      .findIndex(
        (folder) => isWithin(folder, folders[index]!) || isWithin(folders[index]!, folder),
      );
    if (other < 0) return [];
    const what = `"${out}" is, or is within, the folder of document ${other + 1}, or has it within`;
    return [{ what, fix: 'give each a folder of its own', pointer: `/documents/${index}/out` }];
  });
}

function findMixedSites({ documents }: Project): readonly Complaint[] {
  return documents.flatMap((document, index): Complaint[] => {
    const pointer = `/documents/${index}`;
    if (isSite(document)) {
      if (document.targets?.length === 1) return [];
      const what = 'the docs need a folder of their own';
      const fix = 'list the document a second time, with the docs as its only target';
      return [{ what, fix, pointer: `${pointer}/targets` }];
    }
    return (['guides', 'changelog', 'releases', 'base'] as const)
      .filter((option) => document.options[option] !== undefined)
      .map((option) => ({
        what: `"${option}" is for the docs, which are no target here`,
        fix: 'remove it, or put it where the target is docs',
        pointer: `${pointer}/options/${option}`,
      }));
  });
}

function isWithin(folder: string, path: string): boolean {
  return relative(folder, path).split('/')[0] !== '..';
}
