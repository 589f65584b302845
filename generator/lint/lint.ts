import { unusable, type Diagnostic } from '../../common/diagnostic.ts';
import { recordTexts, type TextReader } from '../files/text.ts';
import { readDocument, type ReadDocumentOptions } from '../reading/read-document.ts';
import { runRules, type FoundByRule } from './run-rules.ts';
import type { ActiveRule } from './settings.ts';

/** The result of linting a document. */
interface Linted {
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of the files, by name. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface LintOptions extends ReadDocumentOptions {
  readonly reader: TextReader;
  readonly active: readonly ActiveRule[];
}

/** The code of diagnostics about parts that break the meta-schema of OpenRPC: no rule is applied to them. */
export const INVALID_PART = 'invalid-part';

/**
 * Lints the document at `location`. Parts that break the meta-schema of OpenRPC are findings, and no
 * rules are applied to them. Unresolved references, duplicate names and the like are findings of rules.
 *
 * @throws DocumentError when it cannot be read, or nothing of use would be left
 */
export async function lintDocument(
  location: string,
  { reader, active, ...options }: LintOptions,
): Promise<Linted> {
  const recording = recordTexts(reader);
  const read = await readDocument(location, recording, options);
  const { document, source, unresolved, omitter } = read;
  const invalid = [...omitter.omissions, ...read.diagnostics].map(
    ({ location, message, fix }): Diagnostic => ({
      ...unusable(location, { message, fix }),
      code: INVALID_PART,
    }),
  );
  const found = runRules({ document, original: source.value, unresolved }, active);
  const locate = ({ pointer, location, ...finding }: FoundByRule): Diagnostic => ({
    ...finding,
    location: location ?? omitter.report({ pointer, message: '' }).location,
  });
  return { diagnostics: [...invalid, ...found.map(locate)], texts: recording.texts };
}
