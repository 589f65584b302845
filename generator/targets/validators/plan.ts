import { isObject, type Schema } from '../../../common/json/value.ts';
import type { Model } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';
import { schemasIn } from '../../schema/subschemas.ts';
import type { CompilerInput } from '../../violations/create-ajv.ts';
import { toDialect } from '../../violations/dialect.ts';
import { factsOf, type Fact } from '../../violations/facts.ts';

/** The schemas to compile and their ids. */
export interface Plan {
  /** Schemas that params and results use, each before the schemas that refer to it. */
  readonly used: readonly CompilerInput[];
  readonly inputs: readonly CompilerInput[];
  readonly facts: ReadonlyMap<string, Fact>;
  /** Returns the id of a schema of the Model; null when any value is valid. */
  idOf(schema: Schema): string | null;
}

/**
 * Plans one validator per component and one per distinct inline schema of a parameter or result. Ids
 * are short because every error carries one.
 */
export function planSchemas(model: Model): Plan {
  const components = new Map([...model.schemas.keys()].map((name, index) => [name, `c${index}`]));
  const idOfComponent = (name: string) => components.get(name)!;
  const inputs: CompilerInput[] = [];
  const facts = new Map<string, Fact>();
  const inline = new Map<string, string>();
  // Methods that share a parameter share its schema, which may be long.
  const known = new Map<Schema, string>();

  function add(id: string, schema: Schema): void {
    inputs.push({ id, schema: toDialect(schema, idOfComponent) });
    for (const [path, fact] of factsOf(schema, `${id}#`)) facts.set(path, fact);
  }

  function idOf(schema: Schema): string | null {
    if (schema === true) return null;
    const component = componentOf(schema);
    if (component !== null) return idOfComponent(component);
    const before = known.get(schema);
    if (before !== undefined) return before;
    const text = JSON.stringify(schema);
    const id = inline.get(text) ?? `s${inline.size}`;
    known.set(schema, id);
    if (!inline.has(text)) {
      inline.set(text, id);
      add(id, schema);
    }
    return id;
  }

  for (const { name, schema } of model.schemas.values()) add(idOfComponent(name), schema);
  const wanted = model.methods.flatMap(({ params, result }) =>
    [...params, ...(result === null ? [] : [result])].map(({ schema }) => idOf(schema)),
  );
  const used = orderByUse(inputs, new Set(wanted.filter((id) => id !== null)));
  return { used, inputs, facts, idOf };
}

/** Returns the wanted schemas and their references, each schema after those it refers to. */
function orderByUse(
  inputs: readonly CompilerInput[],
  wanted: ReadonlySet<string>,
): readonly CompilerInput[] {
  const byId = new Map(inputs.map((input) => [input.id, input]));
  const ordered: CompilerInput[] = [];
  const visited = new Set<string>();
  // A stack rather than recursion: chains of references may be thousands of schemas long.
  const stack: { readonly id: string; readonly isDone: boolean }[] = [];
  for (const root of wanted) {
    stack.push({ id: root, isDone: false });
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const input = byId.get(next.id)!;
      if (next.isDone) ordered.push(input);
      if (next.isDone || visited.has(next.id)) continue;
      visited.add(next.id);
      stack.push({ id: next.id, isDone: true });
      for (const each of schemasIn(input.schema)) {
        const reference = isObject(each) ? each['$ref'] : undefined;
        if (typeof reference === 'string') stack.push({ id: reference, isDone: false });
      }
    }
  }
  return ordered;
}
