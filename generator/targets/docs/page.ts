import type { Heading } from './text/markdown.ts';

/** A page before it is put into the frame all pages have. */
export interface Page {
  /** Without extension, relative to the site: "methods/eth_getProof". */
  readonly path: string;
  readonly title: string;
  /** One line, plain text. */
  readonly summary: string;
  /** Names the template of the content, and styles. */
  readonly template: string;
  readonly view: object;
  /** The page for readers that are programs, without its title; null where they have no use for it. */
  readonly markdown: string | null;
  /** What the page lists of itself. */
  readonly headings: readonly Heading[];
  /** What the search finds on it. */
  readonly records: readonly SearchRecord[];
}

/** Something that can be looked for. */
export interface SearchRecord {
  /** Relative to the site, with the fragment. */
  readonly url: string;
  readonly title: string;
  /** "method", "parameter", "field", "error", "type", "guide". */
  readonly kind: string;
  /** What it belongs to: a method, a type, a guide. */
  readonly context: string;
  readonly text: string;
}
