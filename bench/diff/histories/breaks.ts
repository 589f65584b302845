/**
 * Breaks between two versions of a document that a value proves: valid under one version of a
 * parameter or result, by Ajv, and not under the other.
 */
import type { MethodModel, Model, ParamModel } from '../../../generator/model/model.ts';
import { isObject, type Json } from '../../../common/json/value.ts';
import type { Components, Schema } from '../instances/instances.ts';
import { compileIn, searchWith, type Validate } from '../instances/search.ts';

export interface ProvenBreak {
  readonly method: string;
  /** `result`, or `parameter "name"`. */
  readonly role: string;
  readonly witness: Json;
}

interface Part {
  readonly role: string;
  readonly inner: Value;
  readonly outer: Value;
}

/** A schema with the components of its document. */
interface Value {
  readonly schema: Schema;
  readonly version: Version;
}

/** One of the two documents, compiled once. */
interface Version {
  readonly components: Components;
  readonly compile: (schema: Schema) => Validate;
}

/** Searches each parameter and result that both versions have. */
export function findBreaks(
  models: { readonly old: Model; readonly new: Model },
  search: { readonly chance: () => number; readonly tries: number },
): { readonly breaks: readonly ProvenBreak[]; readonly parts: number } {
  const versions = { old: versionOf(models.old), new: versionOf(models.new) };
  const breaks: ProvenBreak[] = [];
  let parts = 0;
  for (const method of models.old.methods) {
    const other = models.new.methods.find(({ name }) => name === method.name);
    for (const { role, inner, outer } of other === undefined
      ? []
      : partsOf(method, other, versions)) {
      if (closureOf(inner) === closureOf(outer)) continue;
      parts += 1;
      const sides = {
        inner: { ...sideOf(inner), isValid: inner.version.compile(inner.schema) },
        outer: { ...sideOf(outer), isValid: outer.version.compile(outer.schema) },
      };
      const witness = searchWith(sides, search);
      if (witness !== undefined) breaks.push({ method: method.name, role, witness });
    }
  }
  return { breaks, parts };
}

function versionOf({ schemas }: Model): Version {
  const components = Object.fromEntries(
    [...schemas].map(([name, { schema }]) => [name, schema as Schema]),
  );
  return { components, compile: compileIn(components) };
}

function sideOf({ schema, version: { components } }: Value) {
  return { schema, components };
}

function partsOf(
  old: MethodModel,
  fresh: MethodModel,
  versions: { readonly old: Version; readonly new: Version },
): readonly Part[] {
  const was = ({ schema }: Pick<ParamModel, 'schema'>) => ({
    schema: schema as Schema,
    version: versions.old,
  });
  const is = ({ schema }: Pick<ParamModel, 'schema'>) => ({
    schema: schema as Schema,
    version: versions.new,
  });
  const params = old.params.flatMap((param): Part[] => {
    const other = fresh.params.find(({ name }) => name === param.name);
    const role = `parameter "${param.name}"`;
    return other === undefined ? [] : [{ role, inner: was(param), outer: is(other) }];
  });
  if (old.result === null || fresh.result === null) return params;
  return [...params, { role: 'result', inner: is(fresh.result), outer: was(old.result) }];
}

/** A schema and all components that it leads to, as text. */
function closureOf({ schema, version: { components } }: Value): string {
  const texts = new Map<string, string>();
  const ahead: unknown[] = [schema];
  for (const next of ahead) {
    if (Array.isArray(next)) ahead.push(...(next as unknown[]));
    else if (isObject(next as Json)) {
      const { $ref: reference, ...others } = next as Record<string, unknown>;
      ahead.push(...Object.values(others));
      const name = typeof reference === 'string' ? nameIn(reference) : null;
      if (name === null || texts.has(name)) continue;
      texts.set(name, JSON.stringify(components[name] ?? true));
      ahead.push(components[name]);
    }
  }
  return JSON.stringify([schema, [...texts].sort()]);
}

function nameIn(reference: string): string {
  return decodeURIComponent(reference.split('/').at(-1)!)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
