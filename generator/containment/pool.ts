import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { toDialect } from '../violations/dialect.ts';
import { canonicalSchema } from './canonical.ts';
import { classify, finiteIn, type Recursive } from './recursive.ts';

/** The document that a schema belongs to, of the two that are compared. */
export type Side = 'old' | 'new';

/**
 * A schema of either document in draft-07 keywords only. Equal schemas are one node, whether they are
 * written in place or as components, and whatever the components are called. A `$ref` is `old:` or `new:`
 * and the number of the component, or for a component that leads to itself, `class:` and the number of
 * the components that are equal to it.
 */
export interface Node {
  readonly id: number;
  readonly schema: Schema;
}

export type Pool = ReturnType<typeof createPool>;

type Components = ReadonlyMap<string, Schema>;

/** Creates the nodes of two documents with these component schemas. */
export function createPool(components: Readonly<Record<Side, Components>>) {
  const byText = new Map<string, Node>();
  const bySchema = new WeakMap<object, Node>();
  const byReference = new Map<string, Node>();
  /** The references of components, by their names. */
  const references = { old: new Map<string, string>(), new: new Map<string, string>() };
  const idOf = (side: Side) => (name: string) => references[side].get(name) ?? MISSING;

  /** Returns the node of a part of a node's schema, or of a new schema in the same keywords. */
  function intern(schema: Schema): Node {
    const known = isObject(schema) ? bySchema.get(schema) : undefined;
    if (known !== undefined) return known;
    const node = aliased(schema) ?? nodeOf(schema);
    if (isObject(schema)) bySchema.set(schema, node);
    return node;
  }

  function nodeOf(schema: Schema): Node {
    const text = canonicalSchema(schema, (part) => `#${intern(part).id}`);
    const plain = text === '{}' ? 'true' : text;
    const node = byText.get(plain) ?? { id: byText.size, schema: plain === 'true' ? true : schema };
    byText.set(plain, node);
    return node;
  }

  /** Returns the node of the only schema that a schema consists of, or null. */
  function aliased(schema: Schema): Node | null {
    if (!isObject(schema)) return null;
    const [keyword, ...others] = Object.keys(schema);
    if (keyword === undefined || others.length > 0) return null;
    const value = schema[keyword]!;
    if (keyword === '$ref' && !String(value).startsWith('class:')) return resolve(String(value));
    const isList = COMBINATORS.has(keyword) && Array.isArray(value) && value.length === 1;
    return isList ? intern(value[0] as Schema) : null;
  }

  const converted = new WeakMap<object, Record<Side, Node | undefined>>();

  /** Returns the node of a schema as written in the document of `side`. */
  function of(side: Side, schema: Schema): Node {
    if (!isObject(schema)) return intern(schema);
    const nodes = converted.get(schema) ?? { old: undefined, new: undefined };
    converted.set(schema, nodes);
    return (nodes[side] ??= intern(toDialect(schema, idOf(side))));
  }

  /** Returns the node that the `$ref` of a node refers to. */
  function resolve(reference: string): Node {
    return byReference.get(reference) ?? intern(true);
  }

  const sides = ['old', 'new'] as const;
  const finite = sides.flatMap((side) =>
    finiteIn(components[side]).map((name) => ({ side, name })),
  );
  // A component comes after the ones that it uses, so chains of references are followed step by step.
  for (const { side, name } of finite) {
    // Uses a number, because a name may contain characters that have a meaning in a URI.
    const reference = `${side}:${references[side].size}`;
    byReference.set(reference, of(side, components[side].get(name)!));
    references[side].set(name, reference);
  }
  const recursive = recursiveIn(components, references, (text) => `node ${resolve(text).id}`);
  for (const { side, name, reference } of recursive) references[side].set(name, reference);
  for (const { side, name, reference } of recursive) {
    if (!byReference.has(reference))
      byReference.set(reference, of(side, components[side].get(name)!));
  }

  return {
    of,
    intern,
    resolve,
    everything: intern(true),
    nothing: intern(false),
  };
}

/** The reference of a component that does not exist. */
const MISSING = 'old:none';

/**
 * Returns the components that have no reference yet, each with one; equal components have the same one.
 */
function recursiveIn(
  components: Readonly<Record<Side, Components>>,
  references: Readonly<Record<Side, ReadonlyMap<string, string>>>,
  textOf: (reference: string) => string,
) {
  const bySide = { old: new Map<string, Recursive>(), new: new Map<string, Recursive>() };
  const recursive = (['old', 'new'] as const).flatMap((side) =>
    [...components[side]]
      .filter(([name]) => !references[side].has(name))
      .map(([name, schema]) => {
        const target = (other: string) =>
          bySide[side].get(other) ?? textOf(references[side].get(other) ?? MISSING);
        const each = { schema, target };
        bySide[side].set(name, each);
        return { side, name, each };
      }),
  );
  const classes = classify(recursive.map(({ each }) => each));
  return recursive.map(({ side, name, each }) => {
    return { side, name, reference: `class:${classes.get(each)!}` };
  });
}

const COMBINATORS = new Set(['allOf', 'anyOf', 'oneOf']);

/** Returns the named schemas of a keyword, or an empty object. */
export function schemasAt(schema: JsonObject, keyword: string): Readonly<Record<string, Schema>> {
  const value = schema[keyword];
  return (isObject(value) ? value : {}) as Readonly<Record<string, Schema>>;
}

/** Returns the list of a keyword, or an empty one. */
export function listOf<T extends Json>(schema: JsonObject, keyword: string): readonly T[] {
  const value = schema[keyword];
  return Array.isArray(value) ? (value as readonly T[]) : [];
}
