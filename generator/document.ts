import {
  type Diagnostic,
  DocumentError,
  type Location,
  type PointerDiagnostic,
} from '../common/diagnostic.ts';
import { bundleDocument, type Bundle } from './bundle/bundle.ts';
import { diagnosticAt } from './bundle/places.ts';
import type { BundleOptions, ReadUrl } from './bundle/referenced.ts';
import type { TextReader } from './files/text.ts';
import { buildModel } from './model/build.ts';
import type { Model } from './model/model.ts';
import { parseSource } from './source/parse.ts';
import type { Source } from './source/source.ts';
import { findViolations } from './validation/conformance.ts';
import { findUnsound } from './validation/soundness.ts';

export interface LoadOptions {
  /** Put a schema that allows anything in the place of references that cannot be followed. */
  readonly allowUnresolved?: boolean;
  /**
   * Follow references to any origin. Without it a local document refers to no address, and a
   * downloaded one only to the origin it came from.
   */
  readonly allowRemote?: boolean;
}

/** A document ready for use. */
export interface LoadedDocument {
  readonly model: Model;
  /** References that could not be followed and were allowed not to be. */
  readonly unresolved: readonly Diagnostic[];
  /** Returns where the text of the document has a JSON pointer into the Model's document. */
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
  options: LoadOptions = {},
): Promise<LoadedDocument> {
  const source = parseSource(await reader.read(location));
  const read = rememberReads((url, how) => reader.read(url, how));
  const violations = (await findViolations(source.value)).map(({ pointer, ...says }) =>
    diagnosticAt({ source, pointer }, says),
  );
  if (violations.length > 0) refuse([...violations, ...(await findMore(source, read, options))]);
  const { bundle, report, diagnostics } = await examine(source, { read, ...options }).catch(
    async (error: unknown) => {
      if (!(error instanceof DocumentError)) throw error;
      // A part that cannot be read stops the examination; the rest is examined without it.
      const more = await findMore(source, read, options);
      throw new DocumentError(distinct([...error.diagnostics, ...more]));
    },
  );
  refuse(diagnostics);
  return {
    model: buildModel(bundle.document, /^https?:/.test(source.url) ? source.url : null),
    unresolved: bundle.unresolved,
    locate: (pointer) => report({ pointer, message: '' }).location,
  };
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
  // What came from other files has not been validated yet.
  const violations = bundle.isSplit ? await findViolations(document) : [];
  const found = [...violations, ...findUnsound(document)].map(report);
  return {
    bundle,
    diagnostics: [...bundle.diagnostics, ...blameUnresolved(found, bundle.unresolved)],
    report,
  };
}

/** Returns further diagnostics of a document that is already refused. */
async function findMore(
  source: Source,
  read: ReadUrl,
  { allowUnresolved = false, allowRemote = false }: LoadOptions,
): Promise<readonly Diagnostic[]> {
  try {
    const { bundle, diagnostics } = await examine(source, {
      read,
      allowUnresolved: true,
      allowRemote,
    });
    return [...(allowUnresolved ? [] : bundle.unresolved), ...diagnostics];
  } catch (error) {
    // A document of another form than the specification's may have parts that nothing can walk.
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

/** The Model of the document at `location`; see `loadDocument`. */
export async function loadModel(location: string, reader: TextReader): Promise<Model> {
  return (await loadDocument(location, reader)).model;
}

// At an unresolved reference the reference is the cause: only a schema may stay unresolved.
function blameUnresolved(
  diagnostics: readonly Diagnostic[],
  unresolved: readonly Diagnostic[],
): readonly Diagnostic[] {
  const causes = diagnostics.map((problem) =>
    unresolved.find(
      ({ location: { file, pointer } }) =>
        file === problem.location.file && `${problem.location.pointer}/`.startsWith(`${pointer}/`),
    ),
  );
  const fix = 'correct the $ref: only a reference to a schema may stay unresolved';
  return diagnostics.map((problem, index) => {
    const cause = causes[index];
    return cause === undefined ? problem : { ...cause, fix };
  });
}

function refuse(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) throw new DocumentError(distinct(diagnostics));
}

// Two phases may report one place; the first one is the most specific.
function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const places = diagnostics.map(({ location }) => `${location.file}#${location.pointer}`);
  return diagnostics.filter((_, index) => places.indexOf(places[index]!) === index);
}
