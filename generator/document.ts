import { bundleDocument } from './bundle/bundle.ts';
import { problemAt } from './bundle/places.ts';
import type { TextReader } from './files/text.ts';
import { buildModel } from './model/build.ts';
import type { Model } from './model/model.ts';
import { DocumentError, type Problem } from './problem/problem.ts';
import { parseSource } from './source/parse.ts';
import type { Complaint } from './validation/complaint.ts';
import { findViolations } from './validation/conformance.ts';
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
  const inSource = ({ pointer, ...told }: Complaint) => problemAt({ source, pointer }, told);
  refuse((await findViolations(source.value)).map(inSource));
  const bundle = await bundleDocument(source, (url) => reader.read(url));
  const { document, places } = bundle;
  const tell = ({ pointer, ...told }: Complaint) =>
    problemAt(places.find(document, pointer) ?? { source, pointer }, told);
  // What came from other files has not been validated yet.
  const violations = bundle.isSplit ? await findViolations(document) : [];
  refuse([...bundle.problems, ...[...violations, ...findUnsound(document)].map(tell)]);
  return {
    model: buildModel(document),
    problemAt: (pointer, problem) => tell({ pointer, ...problem }),
  };
}

/** The Model of the document at `location`; see `loadDocument`. */
export async function loadModel(location: string, reader: TextReader): Promise<Model> {
  return (await loadDocument(location, reader)).model;
}

function refuse(problems: readonly Problem[]): void {
  const places = problems.map(({ file, pointer }) => `${file}#${pointer}`);
  // Two phases may find fault with one place; the first says it best.
  const first = problems.filter((_, index) => places.indexOf(places[index]!) === index);
  if (first.length > 0) throw new DocumentError(first);
}
