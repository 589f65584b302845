import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { toDialect } from '../violations/dialect.ts';
import { canonicalSchema } from './canonical.ts';

/** Which of two documents a schema is of. */
export type Side = 'old' | 'new';

/**
 * A schema of either document in draft-07 keywords only. A `$ref` is `old:` or `new:` and the number of
 * the component, or `both:` for components that are equal in both. Equal schemas are one node.
 */
export interface Node {
  readonly id: number;
  readonly schema: Schema;
}

export type Pool = ReturnType<typeof createPool>;

type Components = ReadonlyMap<string, Schema>;

/** Creates the nodes of two documents with these component schemas. */
export function createPool(components: Readonly<Record<Side, Components>>) {
  const shared = findShared(components);
  const byText = new Map<string, Node>();
  const bySchema = new WeakMap<object, Node>();
  const byReference = new Map<string, Node>();
  const names = { old: [...components.old.keys()], new: [...components.new.keys()] };
  // By number: a name may hold what means something in a URI.
  const numbers = {
    old: new Map(names.old.map((name, index) => [name, index])),
    new: new Map(names.new.map((name, index) => [name, index])),
  };
  const idOf = (side: Side) => (name: string) =>
    shared.has(name) ? `both:${numbers.old.get(name)}` : `${side}:${numbers[side].get(name)}`;

  /** Returns the node of a part of a node's schema, or of a new schema in the same keywords. */
  function intern(schema: Schema): Node {
    const known = isObject(schema) ? bySchema.get(schema) : undefined;
    if (known !== undefined) return known;
    const text = canonicalSchema(schema);
    const plain = text === '{}' ? 'true' : text;
    const node = byText.get(plain) ?? { id: byText.size, schema: plain === 'true' ? true : schema };
    byText.set(plain, node);
    if (isObject(schema)) bySchema.set(schema, node);
    return node;
  }

  const converted = new WeakMap<object, Record<Side, Node | undefined>>();

  /** Returns the node of a schema as written in the document of `side`. */
  function of(side: Side, schema: Schema): Node {
    if (!isObject(schema)) return intern(schema);
    const nodes = converted.get(schema) ?? { old: undefined, new: undefined };
    converted.set(schema, nodes);
    return (nodes[side] ??= intern(toDialect(schema, idOf(side))));
  }

  return {
    of,
    intern,
    /** Returns the node that the `$ref` of a node refers to. */
    resolve(reference: string): Node {
      const known = byReference.get(reference);
      if (known !== undefined) return known;
      const [origin, index] = reference.split(':');
      const side = origin === 'new' ? 'new' : 'old';
      const schema = components[side].get(names[side][Number(index)] ?? '');
      const node = of(side, schema ?? true);
      byReference.set(reference, node);
      return node;
    },
    everything: intern(true),
    nothing: intern(false),
  };
}

/** Finds components that are equal in both documents and refer only to such components. */
function findShared(components: Readonly<Record<Side, Components>>): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  const shared = new Set<string>();
  const differing: string[] = [];
  for (const [name, schema] of components.old) {
    const other = components.new.get(name);
    const used = new Set<string>();
    const note = (component: string) => `#${used.add(component) && component}`;
    const text = canonicalSchema(toDialect(schema, note));
    const isSame = other !== undefined && text === canonicalSchema(toDialect(other, note));
    for (const each of used) users.set(each, [...(users.get(each) ?? []), name]);
    if (isSame) shared.add(name);
    else differing.push(name);
  }
  for (const name of users.keys()) if (!components.old.has(name)) differing.push(name);
  // Iterating an array includes elements that are added meanwhile.
  for (const name of differing) {
    for (const user of users.get(name) ?? []) if (shared.delete(user)) differing.push(user);
  }
  return shared;
}

/** Returns the schemas by name of a keyword, or an empty object. */
export function schemasAt(schema: JsonObject, keyword: string): Readonly<Record<string, Schema>> {
  const value = schema[keyword];
  return (isObject(value) ? value : {}) as Readonly<Record<string, Schema>>;
}

/** Returns the list of a keyword, or an empty one. */
export function listOf<T extends Json>(schema: JsonObject, keyword: string): readonly T[] {
  const value = schema[keyword];
  return Array.isArray(value) ? (value as readonly T[]) : [];
}
