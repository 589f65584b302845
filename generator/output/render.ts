import { formatFiles } from '../format/format.ts';
import type { Model } from '../model/model.ts';
import type { Rendered, Target, TargetOptions } from '../targets/target.ts';

/**
 * What the targets write from a Model, laid out: path to text. The same Model always gives the same
 * texts.
 *
 * @throws Error when two targets write the same path
 */
export async function renderTargets(
  model: Model,
  targets: readonly Target[],
  options: TargetOptions,
): Promise<Rendered> {
  const files = new Map<string, string>();
  for (const target of targets) {
    for (const [path, text] of await target.render(model, options)) {
      if (files.has(path)) throw new Error(`target ${target.name} writes ${path} a second time`);
      files.set(path, text);
    }
  }
  return formatFiles(files);
}
