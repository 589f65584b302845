import {
  BrokenPartsError,
  DocumentError,
  unusable,
  type Location,
  type Omission,
} from '../common/diagnostic.ts';
import type { TextReader } from './files/text.ts';
import { buildModel } from './model/build.ts';
import type { Model } from './model/model.ts';
import { omitUnsound, readDocument, type ReadDocumentOptions } from './reading/read-document.ts';
import { findTooRepeated } from './reading/repeated-parts.ts';

export interface LoadOptions extends ReadDocumentOptions {
  /** Leave out broken parts of the document instead of failing; see `LoadedDocument.omissions`. */
  readonly lenient?: boolean;
  /** Name of the generated packages, with npm's scope; derived from the title by default. */
  readonly packageName?: string;
}

/** A document ready for use. */
export interface LoadedDocument {
  readonly model: Model;
  /** The broken parts that the Model leaves out. */
  readonly omissions: readonly Omission[];
  /** Returns the place in the text of a JSON pointer into the Model's document. */
  locate(pointer: string): Location;
}

/**
 * Reads, validates and bundles the document at `location` (a path, a URL, or "-" for standard input)
 * and builds its Model.
 *
 * @throws BrokenPartsError listing everything that is broken, unless `lenient`
 * @throws DocumentError when the document cannot be used at all
 */
export async function loadDocument(
  location: string,
  reader: TextReader,
  { lenient = false, packageName, ...options }: LoadOptions = {},
): Promise<LoadedDocument> {
  const found = await readDocument(location, reader, options);
  const omissions = await omitUnsound(found);
  if (omissions.length > 0 && !lenient) throw new BrokenPartsError(omissions);
  const { document, source, omitter } = found;
  const tooRepeated = findTooRepeated(document);
  if (tooRepeated !== null) {
    const { location } = omitter.report(tooRepeated);
    throw new DocumentError([unusable(location, tooRepeated)]);
  }
  return {
    model: buildModel(
      document,
      /^https?:/.test(source.url) ? source.url : null,
      packageName ?? null,
    ),
    omissions,
    locate: (pointer) => omitter.report({ pointer, message: '' }).location,
  };
}

/** Returns the Model of the document at `location`; see `loadDocument`. */
export async function loadModel(location: string, reader: TextReader): Promise<Model> {
  return (await loadDocument(location, reader)).model;
}

/** What a comparison needs of a document. */
export type Comparable = Pick<LoadedDocument, 'model' | 'omissions'>;

interface Pair<Document> {
  readonly old: Document;
  readonly new: Document;
}

/**
 * Removes the methods that are left out of one document from the other one too, so that a comparison does
 * not find them removed or added. `notCompared` names them.
 */
export function withoutBrokenMethods<Document extends Comparable>(
  pair: Pair<Document>,
): Pair<Document> & { readonly notCompared: readonly string[] } {
  const sides = [pair.old, pair.new];
  const names = sides.map(({ model }) => new Set(model.methods.map(({ name }) => name)));
  const broken = new Set(
    sides.flatMap(({ omissions }, side) =>
      omissions.flatMap(({ method }) =>
        // Of methods with the same name, the first one is kept.
        method === null || names[side]!.has(method) ? [] : [method],
      ),
    ),
  );
  if (broken.size === 0) return { ...pair, notCompared: [] };
  const take = (loaded: Document): Document => {
    const methods = loaded.model.methods.filter(({ name }) => !broken.has(name));
    return { ...loaded, model: { ...loaded.model, methods } };
  };
  const notCompared = [...broken].filter((name) => names.some((own) => own.has(name)));
  return { old: take(pair.old), new: take(pair.new), notCompared };
}
