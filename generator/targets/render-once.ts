import type { Model } from '../model/model.ts';
import type { Target } from './target.ts';

type Render = Target['render'];

/** Renders the files of a target once for each Model, because other targets also contain them. */
export function renderOnce(render: Render): Render {
  const known = new WeakMap<Model, { source: string; files: ReturnType<Render> }>();
  return (model, options) => {
    const last = known.get(model);
    if (last?.source === options.source) return last.files;
    const files = render(model, options);
    known.set(model, { source: options.source, files });
    return files;
  };
}
