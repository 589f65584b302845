import { bundleDocument } from './bundle/bundle.ts';
import { problemAt } from './bundle/places.ts';
import type { TextReader } from './files/text.ts';
import type { Json } from './json/value.ts';
import { buildModel } from './model/build.ts';
import type { Model } from './model/model.ts';
import { DocumentError, type Problem } from './problem/problem.ts';
import { parseSource } from './source/parse.ts';
import { findViolations, type Complaint } from './validation/conformance.ts';
import { findUnsound } from './validation/soundness.ts';

/** A document ready for use. */
export interface LoadedDocument {
  readonly model: Model;
  /** What is wrong at a JSON pointer into the Model's document, told where its text says it. */
  problemAt(pointer: string, problem: Pick<Problem, 'what' | 'mend'>): Problem;
}

/**
 * Reads, validates and bundles the document at `location` (a path, a URL, or "-" for standard input)
 * and builds its Model.
 *
 * @throws DocumentError listing everything that makes the document unusable
 */
export async function loadDocument(location: string, reader: TextReader): Promise<LoadedDocument> {
  const source = parseSource(await reader.read(location));
  refuse(await findViolations(source.value), ({ pointer, what, mend }) =>
    problemAt({ source, pointer }, { what, mend }),
  );
  const { document, places, isSplit } = await bundleDocument(source, (url) => reader.read(url));
  const tell = ({ pointer, what, mend }: Complaint) =>
    problemAt(places.find(document, pointer) ?? { source, pointer }, { what, mend });
  // What came from other files has not been validated yet.
  if (isSplit) refuse(await findViolations(document as Json), tell);
  refuse(findUnsound(document), tell);
  return {
    model: buildModel(document),
    problemAt: (pointer, { what, mend }) => tell({ pointer, what, mend }),
  };
}

/** The Model of the document at `location`; see `loadDocument`. */
export async function loadModel(location: string, reader: TextReader): Promise<Model> {
  return (await loadDocument(location, reader)).model;
}

function refuse(complaints: readonly Complaint[], tell: (complaint: Complaint) => Problem): void {
  if (complaints.length > 0) throw new DocumentError(complaints.map(tell));
}
