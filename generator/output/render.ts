import { formatFiles } from '../format/format.ts';
import type { Model } from '../model/model.ts';
import type { Rendered, Target, TargetOptions } from '../targets/target.ts';

export interface RenderOptions extends TargetOptions {
  /** Told what is worked on. */
  readonly onStep?: (step: string) => void;
}

/**
 * What the targets write from a Model, laid out: path to text. The same Model always gives the same
 * texts.
 *
 * @throws Error when two targets write the same path
 */
export async function renderTargets(
  model: Model,
  targets: readonly Target[],
  { onStep = () => {}, ...options }: RenderOptions,
): Promise<Rendered> {
  const files = new Map<string, string>();
  const laidOut = new Map<string, string>();
  for (const target of targets) {
    onStep(target.name);
    for (const [path, text] of await target.render(model, options)) {
      if (files.has(path) || laidOut.has(path)) {
        throw new Error(`target ${target.name} writes ${path} a second time`);
      }
      (target.isLaidOut === true ? laidOut : files).set(path, text);
    }
  }
  onStep('layout');
  return new Map([...(await formatFiles(files)), ...laidOut]);
}
