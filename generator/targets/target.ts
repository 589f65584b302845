import type { Model } from '../model/model.ts';

/** What every target is told beside the Model. */
export interface TargetOptions {
  /** The document's file name, for the banner: never a path, so that output is the same anywhere. */
  readonly source: string;
}

/** Relative path (with "/") to the text of the file. */
export type Rendered = ReadonlyMap<string, string>;

/** A row of the table of targets: writes one kind of artifact. Pure but for reading its templates. */
export interface Target {
  readonly name: string;
  /** Language of what it writes, as grammars for highlighting name it; null for pages. */
  readonly language: string | null;
  /** One line for `--help`. */
  readonly summary: string;
  /** What it writes is left as rendered: pages of HTML, where layout would change what is seen. */
  readonly isLaidOut?: boolean;
  render(model: Model, options: TargetOptions): Rendered | Promise<Rendered>;
}
