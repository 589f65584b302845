import { type Diagnostic, DocumentError } from '../../common/diagnostic.ts';
import { bundleDocument } from '../bundle/bundle.ts';
import { limitReads } from '../bundle/limit-reads.ts';
import { diagnosticAt } from '../bundle/places.ts';
import type { TextReader } from '../files/text.ts';
import type { Json } from '../../common/json/value.ts';
import { parseSource } from '../source/parse.ts';
import type { Source } from '../source/source.ts';
import { findViolations } from '../validation/conformance.ts';
import { runRules, type FoundByRule } from './run-rules.ts';
import type { ActiveRule } from './settings.ts';

/** The result of linting a document. */
interface Linted {
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of the files, by name. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface LintOptions {
  readonly reader: TextReader;
  readonly active: readonly ActiveRule[];
  /** Follow references to any origin; see `LoadOptions`. */
  readonly allowRemote?: boolean;
}

/**
 * Lints the document at `location`. A document that follows the meta-schema is linted even if it is
 * unsound otherwise: unresolved references, duplicate names and the like are findings.
 *
 * @throws DocumentError when it cannot be read, or breaks the meta-schema of OpenRPC
 */
export async function lintDocument(
  location: string,
  { reader, active, allowRemote = false }: LintOptions,
): Promise<Linted> {
  const texts = new Map<string, string>();
  const read = limitReads(async (url, how) => {
    const text = await reader.read(url, how);
    texts.set(text.name, text.text);
    return text;
  });
  const source = parseSource(await read(location, { mayBeStream: true }));
  await refuseInvalid(source.value, (pointer) => ({ source, pointer }));
  // An unresolved reference is a finding, and does not stop the linter.
  const bundle = await bundleDocument(source, { read, allowUnresolved: true, allowRemote });
  const { document, places, unresolved, isSplit } = bundle;
  const placeOf = (pointer: string) => places.find(document, pointer) ?? { source, pointer: '' };
  if (isSplit) await refuseInvalid(document, placeOf);
  const found = runRules({ document, original: source.value, unresolved }, active);
  const locate = ({ pointer, location, ...finding }: FoundByRule): Diagnostic => ({
    ...finding,
    location: location ?? diagnosticAt(placeOf(pointer), finding).location,
  });
  return { diagnostics: found.map(locate), texts };
}

type PlaceOf = (pointer: string) => { readonly source: Source; readonly pointer: string };

async function refuseInvalid(document: Json, placeOf: PlaceOf): Promise<void> {
  const violations = await findViolations(document);
  if (violations.length === 0) return;
  throw new DocumentError(
    violations.map(({ pointer, ...says }) => diagnosticAt(placeOf(pointer), says)),
  );
}
