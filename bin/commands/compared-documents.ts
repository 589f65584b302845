import { type Diagnostic, DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { Argument, Option } from 'commander';
import type { LoadedDocument } from '../../generator/document.ts';
import { withGitRefs } from '../../generator/files/git.ts';
import { loadProject, type LoadedProject } from '../../generator/project/load.ts';
import { createTextReader, type TextReader } from '../../generator/files/text.ts';
import { openDocument } from './render-job.ts';

/** Two documents to compare, as the user called them. */
export interface Compared {
  readonly old: string;
  readonly new: string;
}

export function oldArgument(): Argument {
  return new Argument(
    '[OLD]',
    'the older document: a path, a URL, REF:path of git, or - for stdin',
  );
}

export function newArgument(): Argument {
  return new Argument('[NEW]', 'the newer document');
}

export function againstOption(): Option {
  return new Option(
    '--against <ref>',
    'compare a document with itself in a commit, branch or tag of git',
  );
}

export function dateOption(): Option {
  return new Option(
    '--date <day>',
    'date that sunset dates and approvals are compared with (default: today)',
  )
    .default(undefined, 'today')
    .argParser((text) => {
      if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
      throw misuse(`invalid date "${text}"`, 'expected YYYY-MM-DD, such as 2026-01-31');
    });
}

/** Today in UTC, as YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/**
 * Which documents are compared: OLD and NEW; or with `--against`, the one that is named, or those of
 * the project file, or openrpc.json, with what they were.
 *
 * @throws DocumentError when the arguments do not say
 */
export function planComparisons(
  [first, second]: readonly (string | undefined)[],
  against: string | undefined,
  project: LoadedProject | null,
): readonly Compared[] {
  if (against === undefined) {
    if (first !== undefined && second !== undefined) {
      if (first === '-' && second === '-') {
        throw misuse('both documents are standard input', 'name a file for one of them');
      }
      return [{ old: first, new: second }];
    }
    throw misuse('two documents are needed', 'name OLD and NEW, or one with --against REF');
  }
  if (second !== undefined)
    throw misuse('--against takes one document', 'leave out OLD or --against');
  const listed = project?.documents.map(({ document }) => document) ?? [];
  const named = first === undefined ? listed.filter((each) => !/^https?:/i.test(each)) : [first];
  const documents = named.length > 0 ? named : ['openrpc.json'];
  return documents.map((each) => ({ old: `${against}:${each}`, new: each }));
}

/** The reader of a verb that compares: files, URLs, standard input and commits of git. */
export function createComparisonReader(): TextReader & { readonly texts: Map<string, string> } {
  const reader = withGitRefs(createTextReader({ stdin: process.stdin }));
  const texts = new Map<string, string>();
  return {
    texts,
    async read(location, options) {
      const text = await reader.read(location, options);
      texts.set(text.name, text.text);
      return text;
    },
  };
}

export interface LoadedPair {
  readonly old: LoadedDocument;
  readonly new: LoadedDocument;
}

export interface PairOptions {
  readonly reader: TextReader;
  readonly allowUnresolved: boolean;
  readonly allowRemote: boolean;
  onStep(name: string): void;
}

/** @throws DocumentError with what is wrong with either, when one of them cannot be used */
export async function loadPair(
  { old, new: fresh }: Compared,
  { onStep, ...options }: PairOptions,
): Promise<LoadedPair> {
  const diagnostics: Diagnostic[] = [];
  const open = async (location: string): Promise<LoadedDocument | null> => {
    onStep(location);
    try {
      return await openDocument(location, options);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      diagnostics.push(...error.diagnostics);
      return null;
    }
  };
  const pair = { old: await open(old), new: await open(fresh) };
  if (pair.old === null || pair.new === null) throw new DocumentError(diagnostics);
  return { old: pair.old, new: pair.new };
}

/** The project file, where there is one or one is named. */
export function readProjectFile(config: string | undefined): Promise<LoadedProject | null> {
  return loadProject(config === undefined ? {} : { file: config });
}

function misuse(message: string, fix: string): DocumentError {
  return new DocumentError([unusable(wholeFile('specgate'), { message, fix })]);
}
