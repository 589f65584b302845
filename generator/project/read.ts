import { DocumentError, type PointerDiagnostic } from '../../common/diagnostic.ts';
import { relative, resolve } from 'node:path/posix';
import { diagnosticAt } from '../bundle/places.ts';
import { parseSource } from '../source/parse.ts';
import type { SourceText } from '../source/source.ts';
import { diagnosticsOf } from '../validation/zod-issues.ts';
import { isSite, projectSchema, type Project } from './schema.ts';

/**
 * Reads a project file, YAML or JSON; an empty one is a project that says nothing.
 *
 * @throws DocumentError with every setting that is not as it has to be, and where it stands
 */
export function readProject(text: SourceText): Project {
  const source = parseSource(text);
  const refuse = (diagnostics: readonly PointerDiagnostic[]) => {
    if (diagnostics.length === 0) return;
    throw new DocumentError(
      diagnostics.map(({ pointer, ...says }) => diagnosticAt({ source, pointer }, says)),
    );
  };
  const read = projectSchema.safeParse(source.value ?? {});
  if (!read.success) {
    refuse(read.error.issues.flatMap(diagnosticsOf));
    throw read.error;
  }
  refuse([...findSharedFolders(read.data), ...findMixedSites(read.data)]);
  return read.data;
}

/** Stands for the folder of the project file, whose place is not known here. */
const SOMEWHERE = '/of/the/project/file';

// Files of another document would be removed or reported as orphaned: two cannot share a folder.
function findSharedFolders({ documents }: Project): readonly PointerDiagnostic[] {
  const folders = documents.map(({ out }) => resolve(SOMEWHERE, out.replaceAll('\\', '/')));
  return documents.flatMap(({ out }, index): PointerDiagnostic[] => {
    const other = folders
      .slice(0, index)
      .findIndex(
        (folder) => isWithin(folder, folders[index]!) || isWithin(folders[index]!, folder),
      );
    if (other < 0) return [];
    const message = `"${out}" is, or is within, the folder of document ${other + 1}, or has it within`;
    return [{ message, fix: 'give each a folder of its own', pointer: `/documents/${index}/out` }];
  });
}

function findMixedSites({ documents }: Project): readonly PointerDiagnostic[] {
  return documents.flatMap((document, index): PointerDiagnostic[] => {
    const pointer = `/documents/${index}`;
    if (isSite(document)) {
      if (document.targets?.length === 1) return [];
      const message = 'the docs need a folder of their own';
      const fix = 'list the document a second time, with the docs as its only target';
      return [{ message, fix, pointer: `${pointer}/targets` }];
    }
    return (['guides', 'changelog', 'releases', 'base'] as const)
      .filter((option) => document.options[option] !== undefined)
      .map((option) => ({
        message: `"${option}" is an option of the docs target, which is not listed here`,
        fix: 'remove it, or put it where the target is docs',
        pointer: `${pointer}/options/${option}`,
      }));
  });
}

function isWithin(folder: string, path: string): boolean {
  return relative(folder, path).split('/')[0] !== '..';
}
