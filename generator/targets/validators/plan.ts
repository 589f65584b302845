import type { Schema } from '../../../common/json/value.ts';
import type { Model } from '../../model/model.ts';
import { componentOf } from '../../model/type-names.ts';
import type { CompilerInput } from '../../violations/create-ajv.ts';
import { toDialect } from '../../violations/dialect.ts';
import { factsOf, type Fact } from '../../violations/facts.ts';

/** Which schemas are compiled, under which id. */
export interface Plan {
  readonly inputs: readonly CompilerInput[];
  readonly facts: ReadonlyMap<string, Fact>;
  /** The id of the validator for a schema of the Model; null where anything is valid. */
  idOf(schema: Schema): string | null;
}

/**
 * One schema per component, and one per schema that stands in a parameter or result itself; equal
 * ones are one. Ids are short because every error carries one.
 */
export function planSchemas(model: Model): Plan {
  const components = new Map([...model.schemas.keys()].map((name, index) => [name, `c${index}`]));
  const idOfComponent = (name: string) => components.get(name)!;
  const inputs: CompilerInput[] = [];
  const facts = new Map<string, Fact>();
  const inline = new Map<string, string>();

  function add(id: string, schema: Schema): void {
    inputs.push({ id, schema: toDialect(schema, idOfComponent) });
    for (const [path, fact] of factsOf(schema, `${id}#`)) facts.set(path, fact);
  }

  function idOf(schema: Schema): string | null {
    if (schema === true) return null;
    const component = componentOf(schema);
    if (component !== null) return idOfComponent(component);
    const text = JSON.stringify(schema);
    const id = inline.get(text) ?? `s${inline.size}`;
    if (!inline.has(text)) {
      inline.set(text, id);
      add(id, schema);
    }
    return id;
  }

  for (const { name, schema } of model.schemas.values()) add(idOfComponent(name), schema);
  for (const { params, result } of model.methods) {
    for (const param of params) idOf(param.schema);
    if (result !== null) idOf(result.schema);
  }
  return { inputs, facts, idOf };
}
