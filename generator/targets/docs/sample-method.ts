import type { MethodModel, Model } from '../../model/model.ts';
import { packageName } from '../client/manifest.ts';
import { moduleName, nameMethods } from '../python/names.ts';
import { factsOfMethod } from './pages/method-facts.ts';

/** What samples have to know of a method, in the static pages and in the browser. */
export function sampleMethod(method: MethodModel, model: Model) {
  const { family, transports } = factsOfMethod(method);
  return {
    name: method.name,
    identifier: method.identifier,
    family,
    transports,
    clientPackage: packageName(model.info.title),
    pythonModule: moduleName(model),
    pythonIdentifier: pythonNames(model).get(method)!,
  };
}

const named = new WeakMap<Model, ReadonlyMap<MethodModel, string>>();

/** Each name depends on those before it: all of a document's are found at once. */
function pythonNames(model: Model): ReadonlyMap<MethodModel, string> {
  const names = named.get(model) ?? nameMethods(model);
  named.set(model, names);
  return names;
}
