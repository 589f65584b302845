import type { Model } from '../model/model.ts';
import type { Rendered, Target, TargetOptions } from '../targets/target.ts';
import { formatFiles } from './format.ts';

export interface RenderOptions extends TargetOptions {
  /** Called with the name of each step before it starts. */
  readonly onStep?: (step: string) => void;
}

/**
 * Renders targets and formats their files: path to text. The same Model always gives the same texts.
 *
 * @throws Error when two targets write the same path
 */
export async function renderTargets(
  model: Model,
  targets: readonly Target[],
  { onStep = () => {}, ...options }: RenderOptions,
): Promise<Rendered> {
  const files = new Map<string, string>();
  const formatted = new Map<string, string>();
  for (const target of targets) {
    onStep(target.name);
    for (const [path, text] of await target.render(model, options)) {
      if (files.has(path) || formatted.has(path)) {
        throw new Error(`target ${target.name} writes ${path}, which another target writes too`);
      }
      (target.isFormatted === true ? formatted : files).set(path, text);
    }
  }
  onStep('format');
  return new Map([...(await formatFiles(files)), ...formatted]);
}
