/**
 * The programmatic API: load a document and render targets.
 *
 * ```ts
 * import { createTextReader, loadModel, loadTargets, renderTargets } from 'specgate';
 *
 * const model = await loadModel('openrpc.yaml', createTextReader());
 * const targets = await loadTargets(['types', 'client']);
 * const files = await renderTargets(model, targets, { source: 'openrpc.yaml' });
 * for (const [path, text] of files) console.log(path, text.length);
 * ```
 *
 * A custom target is an object with a name, a summary and `render(model, options)`, which returns a
 * map of path to text; see the type `Target`.
 */
export { printDocument, type BundleFormat } from './bundle/print.ts';
export { loadDocument, loadModel, type LoadedDocument, type LoadOptions } from './document.ts';
export { createTextReader, type ReaderOptions, type TextReader } from './files/text.ts';
export type { Json, JsonObject, Schema } from '../common/json/value.ts';
export type * from './model/model.ts';
export { renderTargets, type RenderOptions } from './output/render.ts';
export {
  BrokenPartsError,
  describeDiagnostic,
  DocumentError,
  type Diagnostic,
  type Omission,
} from '../common/diagnostic.ts';
export { loadTargets, targetNames, type TargetName } from './targets/index.ts';
export type { Rendered, Target, TargetOptions } from './targets/target.ts';
