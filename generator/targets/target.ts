import type { SampleTemplate } from '../../common/samples/sample.ts';
import type { MethodModel, Model } from '../model/model.ts';

export interface TargetOptions {
  /** The document's file name, for the banner. Not a path, so that output is the same anywhere. */
  readonly source: string;
}

/** Relative path (with "/") to file text. */
export type Rendered = ReadonlyMap<string, string>;

/** Creates the sample in the documentation that calls each method through the generated code. */
export type DescribeSamples = (
  model: Model,
) => (method: MethodModel) => Omit<SampleTemplate, 'id' | 'language'>;

/** Renders one kind of output. Pure, except for reading templates. */
export interface Target {
  readonly name: string;
  /** Language of the output, as syntax highlighters name it; null for HTML pages. */
  readonly language: string | null;
  /** One line for `--help`. */
  readonly summary: string;
  /** Whether files must not be formatted, as in HTML pages, where white space matters. */
  readonly isFormatted?: boolean;
  /** Only for targets that generate clients. */
  readonly sample?: DescribeSamples;
  render(model: Model, options: TargetOptions): Rendered | Promise<Rendered>;
}
