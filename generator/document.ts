import {
  type Diagnostic,
  DocumentError,
  type Location,
  type PointerDiagnostic,
} from '../common/diagnostic.ts';
import { bundleDocument, type Bundle } from './bundle/bundle.ts';
import { limitReads, type ReadUrl } from './bundle/limit-reads.ts';
import { diagnosticAt } from './bundle/places.ts';
import type { BundleOptions } from './bundle/referenced.ts';
import type { TextReader } from './files/text.ts';
import { buildModel } from './model/build.ts';
import type { Model } from './model/model.ts';
import { parseSource } from './source/parse.ts';
import type { Source } from './source/source.ts';
import { findViolations } from './validation/conformance.ts';
import { findUnsound } from './validation/soundness.ts';

export interface LoadOptions extends Omit<BundleOptions, 'read'> {
  /** Name of the generated packages, with npm's scope; one made of the title by default. */
  readonly packageName?: string;
}

/** A document ready for use. */
export interface LoadedDocument {
  readonly model: Model;
  /** References that could not be resolved, if allowed. */
  readonly unresolved: readonly Diagnostic[];
  /** Returns the place in the text of a JSON pointer into the Model's document. */
  locate(pointer: string): Location;
}

/**
 * Reads, validates and bundles the document at `location` (a path, a URL, or "-" for standard input)
 * and builds its Model.
 *
 * @throws DocumentError listing everything that makes the document unusable
 */
export async function loadDocument(
  location: string,
  reader: TextReader,
  { allowUnresolved = false, allowRemote = false, packageName }: LoadOptions = {},
): Promise<LoadedDocument> {
  const read = rememberReads(limitReads((url, how) => reader.read(url, how)));
  const source = parseSource(await read(location, { mayBeStream: true }));
  const options = { read, allowUnresolved, allowRemote };
  const violations = (await findViolations(source.value)).map(({ pointer, ...says }) =>
    diagnosticAt({ source, pointer }, says),
  );
  if (violations.length > 0) throwIfAny([...violations, ...(await findMore(source, options))]);
  const { bundle, report, diagnostics } = await examine(source, options).catch(
    async (error: unknown) => {
      if (!(error instanceof DocumentError)) throw error;
      // An unreadable part stops the examination; the rest is examined without it.
      throw new DocumentError(
        distinct([...error.diagnostics, ...(await findMore(source, options))]),
      );
    },
  );
  throwIfAny(diagnostics);
  return {
    model: buildModel(
      bundle.document,
      /^https?:/.test(source.url) ? source.url : null,
      packageName ?? null,
    ),
    unresolved: bundle.unresolved,
    locate: (pointer) => report({ pointer, message: '' }).location,
  };
}

/** Returns the Model of the document at `location`; see `loadDocument`. */
export async function loadModel(location: string, reader: TextReader): Promise<Model> {
  return (await loadDocument(location, reader)).model;
}

interface Examined {
  readonly bundle: Bundle;
  readonly diagnostics: readonly Diagnostic[];
  /** Returns a diagnostic about the bundle at its place in the text. */
  report(diagnostic: PointerDiagnostic): Diagnostic;
}

async function examine(source: Source, options: BundleOptions): Promise<Examined> {
  const bundle = await bundleDocument(source, options);
  const { document, places } = bundle;
  const report = ({ pointer, ...says }: PointerDiagnostic) =>
    diagnosticAt(places.find(document, pointer) ?? { source, pointer }, says);
  // Parts of other files have not been validated yet.
  const violations = bundle.isSplit ? await findViolations(document) : [];
  const found = [...violations, ...findUnsound(document)].map(report);
  const diagnostics = [...bundle.diagnostics, ...reportUnresolved(found, bundle.unresolved)];
  return { bundle, diagnostics, report };
}

/** Returns further diagnostics of a document that is already refused. */
async function findMore(source: Source, options: BundleOptions): Promise<readonly Diagnostic[]> {
  try {
    const { bundle, diagnostics } = await examine(source, { ...options, allowUnresolved: true });
    return [...(options.allowUnresolved ? [] : bundle.unresolved), ...diagnostics];
  } catch (error) {
    // Parts of an invalid document may have a form that cannot be walked.
    return error instanceof DocumentError ? error.diagnostics : [];
  }
}

function rememberReads(read: ReadUrl): ReadUrl {
  const known = new Map<string, ReturnType<ReadUrl>>();
  return (url, how) => {
    const text = known.get(url) ?? read(url, how);
    known.set(url, text);
    return text;
  };
}

// A diagnostic at an unresolved reference is caused by it: only a schema may stay unresolved.
function reportUnresolved(
  diagnostics: readonly Diagnostic[],
  unresolved: readonly Diagnostic[],
): readonly Diagnostic[] {
  const fix = 'correct the $ref: only a reference to a schema may stay unresolved';
  return diagnostics.map((diagnostic) => {
    const { file, pointer } = diagnostic.location;
    const cause = unresolved.find(
      ({ location }) => location.file === file && `${pointer}/`.startsWith(`${location.pointer}/`),
    );
    return cause === undefined ? diagnostic : { ...cause, fix };
  });
}

function throwIfAny(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) throw new DocumentError(distinct(diagnostics));
}

// Two phases may report the same place; the first report is the most specific.
function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const byPlace = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const { file, pointer } = diagnostic.location;
    const place = `${file}#${pointer}`;
    if (!byPlace.has(place)) byPlace.set(place, diagnostic);
  }
  return [...byPlace.values()];
}
