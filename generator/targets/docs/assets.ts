import type { ExactJson } from '../../../common/json/exact.ts';
import type { NetworkFacts } from './networks.ts';

/**
 * What the site is made of beside the Model. All of it is hand-written in docs-site/ and handed in,
 * so that rendering stays a pure function: bin/ reads it, and someone else's look fits in as well.
 */
export interface DocsAssets {
  /** Handlebars templates by name (without ".hbs"); each can be used as a partial by the others. */
  readonly templates: ReadonlyMap<string, string>;
  /** Files that go into the site as they stand, such as styles: path to text. */
  readonly files: ReadonlyMap<string, string>;
  readonly guides: readonly GuideSource[];
  readonly renderSamples: RenderSamples;
}

/** A page written by hand. */
export interface GuideSource {
  /** Where it lies in the folder of guides, which is where it will be in the site: "guides/start.md". */
  readonly path: string;
  /** Markdown; front matter may give `title`, `summary` and `order`. */
  readonly text: string;
}

/** The code of one call in every language offered. Pure: the browser renders its samples by it too. */
export type RenderSamples = (call: SampleCall) => readonly Sample[];

export interface SampleCall {
  readonly method: SampleMethod;
  /** As they go over the wire. */
  readonly params: readonly ExactJson[] | Readonly<Record<string, ExactJson>>;
  readonly network: NetworkFacts | null;
}

export interface SampleMethod {
  readonly name: string;
  /** Name of the method in the generated client. */
  readonly identifier: string;
  /** "evm", "svm", or null when the document says nothing. */
  readonly family: string | null;
  /** "http" and "websocket"; empty when the document says nothing. */
  readonly transports: readonly string[];
  /** Name of the generated client's package. */
  readonly clientPackage: string;
  /** The generated client of Python, as it is imported, and the method's name in it. */
  readonly pythonModule: string;
  readonly pythonIdentifier: string;
}

export interface Sample {
  /** Stable, such as "curl": remembered as the reader's choice, and part of the element's id. */
  readonly id: string;
  readonly label: string;
  /** "bash", "typescript" or "python". */
  readonly language: string;
  readonly code: string;
}
