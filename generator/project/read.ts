import { relative, resolve } from 'node:path/posix';
import type { z } from 'zod';
import { DocumentError, type PointerDiagnostic } from '../../common/diagnostic.ts';
import { diagnosticAt } from '../bundle/places.ts';
import type { Source } from '../source/source.ts';
import { diagnosticsOf } from '../validation/zod-issues.ts';
import { mergeSettings } from './merge.ts';
import { isGenerated, isSite, projectSchema, rulesetSchema, type Project } from './schema.ts';

/**
 * Reads a project file, YAML or JSON; an empty one has no settings. Settings that it omits come from its
 * rulesets, which are given in the order in which they apply.
 *
 * @throws DocumentError with every invalid setting and its place
 */
export function readProject(source: Source, rulesets: readonly Source[] = []): Project {
  const { success, data, error } = projectSchema.safeParse(source.value ?? {});
  const own = success
    ? [...findSharedFolders(data), ...findMixedSites(data), ...findOutsideBaseline(data)]
    : error.issues.flatMap(diagnosticsOf);
  const diagnostics = [
    ...rulesets.flatMap((each) => findIssues(each, rulesetSchema.safeParse(each.value ?? {}))),
    ...own.map(({ pointer, ...says }) => diagnosticAt({ source, pointer }, says)),
  ];
  if (diagnostics.length > 0) throw new DocumentError(diagnostics);
  if (rulesets.length === 0) return data!;
  const values = [...rulesets, source].map(({ value }) => value);
  const merged = projectSchema.safeParse(mergeSettings(values));
  if (merged.success) return merged.data;
  throw new DocumentError(findIssues(source, merged));
}

function findIssues(source: Source, { error }: z.ZodSafeParseResult<unknown>) {
  return (error?.issues ?? [])
    .flatMap(diagnosticsOf)
    .map(({ pointer, ...says }) => diagnosticAt({ source, pointer }, says));
}

/** Stands for the folder of the project file, which is unknown here. */
const SOMEWHERE = '/of/the/project/file';

// Documents cannot share a folder: files of the other one would be removed or reported as orphaned.
function findSharedFolders({ documents }: Project): readonly PointerDiagnostic[] {
  const folders = documents.map((each) => (isGenerated(each) ? absolute(each.out) : null));
  return documents.flatMap(({ out }, index): PointerDiagnostic[] => {
    const own = folders[index] ?? null;
    const other = folders.slice(0, index).findIndex((folder) => {
      return own !== null && folder !== null && (isWithin(folder, own) || isWithin(own, folder));
    });
    if (other < 0) return [];
    const message = `"${out}" equals, contains or is in the folder of document ${other + 1}`;
    return [{ message, fix: 'give each its own folder', pointer: `/documents/${index}/out` }];
  });
}

function absolute(path: string): string {
  return resolve(SOMEWHERE, path.replaceAll('\\', '/'));
}

function isWithin(folder: string, path: string): boolean {
  return relative(folder, path).split('/')[0] !== '..';
}

// A repository must not choose which of its user's files `lint --update-baseline` writes.
function findOutsideBaseline({ lint: { baseline } }: Project): readonly PointerDiagnostic[] {
  if (baseline === undefined || isWithin(SOMEWHERE, absolute(baseline))) return [];
  const message = `"${baseline}" is outside the folder of the project file`;
  const fix = 'name a file in that folder, or name this one on the command line (--baseline)';
  return [{ message, fix, pointer: '/lint/baseline' }];
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
        message: `"${option}" is an option of the docs target, which this document does not list`,
        fix: 'remove it, or move it to the document with the docs target',
        pointer: `${pointer}/options/${option}`,
      }));
  });
}
