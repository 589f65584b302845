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

export interface LoadOptions {
  /** Put a schema that allows anything in the place of references that cannot be followed. */
  readonly allowUnresolved?: boolean;
}

/** A document ready for use. */
export interface LoadedDocument {
  readonly model: Model;
  /** References that could not be followed and were allowed not to be. */
  readonly unresolved: readonly Problem[];
  /** What is wrong at a JSON pointer into the Model's document, told where its text says it. */
  problemAt(pointer: string, problem: Pick<Problem, 'what' | 'mend'>): Problem;
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
  const inSource = ({ pointer, ...told }: Complaint) => problemAt({ source, pointer }, told);
  refuse((await findViolations(source.value)).map(inSource));
  const bundle = await bundleDocument(source, {
    read: (url) => reader.read(url),
    ...options,
  });
  const { document, places } = bundle;
  const tell = ({ pointer, ...told }: Complaint) =>
    problemAt(places.find(document, pointer) ?? { source, pointer }, told);
  // What came from other files has not been validated yet.
  const violations = bundle.isSplit ? await findViolations(document) : [];
  const told = [...violations, ...findUnsound(document)].map(tell);
  refuse([...bundle.problems, ...blameUnresolved(told, bundle.unresolved)]);
  return {
    model: buildModel(document),
    unresolved: bundle.unresolved,
    problemAt: (pointer, problem) => tell({ pointer, ...problem }),
  };
}

/** The Model of the document at `location`; see `loadDocument`. */
export async function loadModel(location: string, reader: TextReader): Promise<Model> {
  return (await loadDocument(location, reader)).model;
}

// What is wrong where a reference was given up is that it was: nothing but a schema can be left open.
function blameUnresolved(
  problems: readonly Problem[],
  unresolved: readonly Problem[],
): readonly Problem[] {
  const causes = problems.map((problem) =>
    unresolved.find(
      ({ file, pointer }) =>
        file === problem.file && `${problem.pointer}/`.startsWith(`${pointer}/`),
    ),
  );
  const mend = 'correct the $ref: only a schema can be left open';
  return problems.map((problem, index) => {
    const cause = causes[index];
    return cause === undefined ? problem : { ...cause, mend };
  });
}

function refuse(problems: readonly Problem[]): void {
  const places = problems.map(({ file, pointer }) => `${file}#${pointer}`);
  // Two phases may find fault with one place; the first says it best.
  const first = problems.filter((_, index) => places.indexOf(places[index]!) === index);
  if (first.length > 0) throw new DocumentError(first);
}
