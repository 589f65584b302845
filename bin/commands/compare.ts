import type { Command } from 'commander';
import { type Diagnostic, DocumentError } from '../../common/diagnostic.ts';
import { diffDocuments, type Diff } from '../../generator/diff/diff.ts';
import type { Strictness } from '../../generator/diff/kinds/kind.ts';
import type { Approval } from '../../generator/diff/settings.ts';
import {
  withoutBrokenMethods,
  type LoadedDocument,
  type LoadOptions,
} from '../../generator/document.ts';
import { withGitRefs } from '../../generator/files/git.ts';
import { createTextReader, recordTexts, type TextReader } from '../../generator/files/text.ts';
import type { Levels } from '../../generator/levels/levels.ts';
import type { LoadedProject } from '../../generator/project/load.ts';
import { openDocument } from './open-document.ts';
import { allowRemoteOption, configOption, resolveOption } from './options.ts';
import { createProgress, misuse, warn } from './verb.ts';

/** Options of the verbs that compare documents. */
export interface CompareOptions extends LoadOptions {
  readonly against?: string;
  readonly config?: string;
  readonly date?: string;
}

export function addDocuments(command: Command): Command {
  return command
    .argument(
      '[OLD]',
      'the older document: a path, a URL, REF:path in Git, or - for standard input',
    )
    .argument('[NEW]', 'the newer document')
    .option(
      '--against <ref>',
      'compare a document with its version in a Git commit, branch or tag',
    );
}

/** Adds the options for loading and comparing documents; `dated` names what `--date` applies to. */
export function addCompareOptions(command: Command, dated: string): Command {
  return command
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addOption(configOption)
    .option('--date <date>', `evaluate ${dated} as of this date (default: today)`, readDay);
}

function readDay(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw misuse(`invalid date "${text}"`, 'expected YYYY-MM-DD, such as 2026-01-31');
}

export interface Compared {
  readonly pair: { readonly old: LoadedDocument; readonly new: LoadedDocument };
  /** Methods that are broken in one of the documents. */
  readonly notCompared: readonly string[];
  readonly diff: Diff;
  /** The documents, as the user named them. */
  readonly names: readonly [old: string, new: string];
}

/** @throws DocumentError when the arguments do not fit together or a document cannot be used */
export async function compareDocuments(
  [first, second]: readonly (string | undefined)[],
  options: CompareOptions,
  settings: {
    readonly project: LoadedProject | null;
    readonly reader: TextReader;
    readonly strictness: Strictness;
    readonly approvals: readonly Approval[];
    readonly undecided?: 'error' | 'warning';
    readonly levels: Levels;
  },
): Promise<readonly Compared[]> {
  const { project, reader, ...how } = settings;
  const progress = createProgress();
  const today = options.date ?? new Date().toISOString().slice(0, 10);
  const compared: Compared[] = [];
  for (const names of planComparisons([first, second], options.against, project)) {
    const pair = await loadPair(names, (name) => {
      progress.step(name);
      return openDocument(name, { ...options, lenient: true }, reader);
    });
    progress.step(names.join(' → '));
    const { notCompared, ...both } = withoutBrokenMethods(pair);
    for (const name of notCompared) {
      warn(`warning: the method "${name}" is not compared: it was left out of one document`);
    }
    compared.push({ pair, notCompared, diff: diffDocuments(both, { ...how, today }), names });
  }
  progress.end();
  return compared;
}

/**
 * Returns the pairs of documents to compare: OLD and NEW; or, with `--against`, the older and the current
 * version of the named document, of each local document of the project file, or of openrpc.json.
 */
function planComparisons(
  [first, second]: readonly (string | undefined)[],
  against: string | undefined,
  project: LoadedProject | null,
): readonly Compared['names'][] {
  if (against === undefined) {
    if (first === undefined || second === undefined) {
      throw misuse(
        'expected two documents',
        'pass OLD and NEW, or one document with --against REF',
      );
    }
    if (first === '-' && second === '-') {
      throw misuse('both documents are standard input', 'pass a file for one of them');
    }
    return [[first, second]];
  }
  if (second !== undefined) {
    throw misuse('--against takes one document', 'leave out OLD or --against');
  }
  const listed = project?.documents.map(({ document }) => document) ?? [];
  const local = listed.filter((each) => !/^https?:/i.test(each));
  const documents = first === undefined ? local : [first];
  return (documents.length > 0 ? documents : ['openrpc.json']).map((document) => [
    `${against}:${document}`,
    document,
  ]);
}

/** Creates a reader of files, URLs, standard input and git commits, which records the texts by name. */
export function createRecordingReader() {
  return recordTexts(withGitRefs(createTextReader({ stdin: process.stdin })));
}

/** Loads both documents, so that errors of both are reported. */
async function loadPair(
  names: Compared['names'],
  open: (name: string) => Promise<LoadedDocument>,
): Promise<Compared['pair']> {
  const diagnostics: Diagnostic[] = [];
  const loaded: LoadedDocument[] = [];
  for (const name of names) {
    try {
      loaded.push(await open(name));
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      for (const each of error.diagnostics) diagnostics.push(each);
    }
  }
  if (diagnostics.length > 0) throw new DocumentError(diagnostics);
  return { old: loaded[0]!, new: loaded[1]! };
}
