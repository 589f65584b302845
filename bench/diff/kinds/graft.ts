/** Applies the example of a kind of change to a real document. */
import type { Kind } from '../../../generator/diff/kinds/kind.ts';
import { deref, type Draw } from '../mutation.ts';
import type { PlainDocument, PlainMethod, PlainParam } from '../corpus.ts';

/** A document before and after a change of one kind. */
export interface Graft {
  readonly old: PlainDocument;
  readonly new: PlainDocument;
  /** Names of the changed methods; empty for a change of the document as a whole. */
  readonly methods: readonly string[];
}

type Plain = Record<string, unknown>;

const LIFETIME = new Set(['deprecated', 'x-sunset', 'x-stability']);

/**
 * Returns a document with the example of a kind in one of its methods, or null if it has no place for
 * it. A schema replaces that of a parameter or result, or with `isDeep` is put into another one.
 */
export function graft(
  { example }: Pick<Kind, 'example'>,
  document: PlainDocument,
  { draw, isDeep }: { readonly draw: Draw; readonly isDeep: boolean },
): Graft | null {
  const [old, fresh] = [example.old, example.new] as unknown as [Plain, Plain];
  const keys = Object.keys({ ...old, ...fresh });
  const hosts = document.methods.filter((method) => fits(old, keys, method));
  const host = draw.pick(hosts);
  if (host === undefined) return null;
  const place = keys.includes('param') || keys.includes('result') ? keys[0]! : null;
  const seed = draw.chance();
  const apply = (fragment: Plain): PlainDocument => {
    const changed = structuredClone(document);
    const method = changed.methods.find(({ name }) => name === host.name)!;
    // The method's own lifetime would be compared too.
    setAll(method, {}, LIFETIME);
    if (place !== null)
      return withSchema({ changed, method, place, isDeep, seed }, fragment[place]);
    if (keys.includes('methods')) changed.methods.push(...(fragment['methods'] as PlainMethod[]));
    setAll(method, fragmentOf(fragment, 'method'), namesIn([old, fresh], 'method'));
    mergeDocument(changed, fragmentOf(fragment, 'document'), namesIn([old, fresh], 'document'));
    return changed;
  };
  return { old: apply(old), new: apply(fresh), methods: methodsOf([old, fresh], host) };
}

function fits(fragment: Plain, keys: readonly string[], method: PlainMethod): boolean {
  const { params, paramStructure } = fragmentOf(fragment, 'method');
  // The structure of no parameters has no effect.
  const needsParams = paramStructure !== undefined && params === undefined;
  if (keys.includes('param') || needsParams) return method.params.length > 0;
  return !keys.includes('result') || method['result'] !== undefined;
}

function methodsOf(fragments: readonly Plain[], host: PlainMethod): readonly string[] {
  if (fragments.some((fragment) => fragment['document'] !== undefined)) return [];
  const own = fragments.flatMap((fragment) => (fragment['methods'] ?? []) as PlainMethod[]);
  return own.length === 0 ? [host.name] : [...new Set(own.map(({ name }) => name))];
}

const fragmentOf = (fragment: Plain, key: string) => (fragment[key] ?? {}) as Plain;
const namesIn = (fragments: readonly Plain[], key: string) =>
  new Set(fragments.flatMap((fragment) => Object.keys(fragmentOf(fragment, key))));

/** Sets the members that a fragment has, and removes those that only the other fragment has. */
function setAll(target: Plain, fragment: Plain, names: ReadonlySet<string>): void {
  for (const name of names) {
    if (fragment[name] === undefined) delete target[name];
    else target[name] = structuredClone(fragment[name]);
  }
}

function mergeDocument(target: Plain, fragment: Plain, names: ReadonlySet<string>): void {
  for (const name of names) {
    const value = fragment[name];
    if (name === 'info') {
      target[name] = { ...(target[name] as Plain), ...(value as Plain) };
    } else if (name === 'components') {
      const components = (target[name] ??= {}) as Plain;
      for (const [kind, rows] of Object.entries(value as Plain))
        components[kind] = { ...(components[kind] as Plain), ...(rows as Plain) };
    } else if (value !== undefined) target[name] = structuredClone(value);
    else if (name !== 'methods' && name !== 'openrpc') delete target[name];
  }
}

interface SchemaPlace {
  readonly changed: PlainDocument;
  readonly method: PlainMethod;
  /** "param" or "result". */
  readonly place: string;
  readonly isDeep: boolean;
  readonly seed: number;
}

function withSchema(
  { changed, method, place, isDeep, seed }: SchemaPlace,
  schema: unknown,
): PlainDocument {
  const holder = ownDescriptor(changed, method, place);
  if (!isDeep) {
    holder['schema'] = structuredClone(schema);
    return changed;
  }
  const wrap = WRAPPERS[Math.floor(seed * WRAPPERS.length)]!;
  holder['schema'] = wrap(structuredClone(schema), holder['schema']);
  return changed;
}

type Wrap = (schema: unknown, beside: unknown) => Plain;

/** Schemas with another one in them, beside the schema that was there. */
const WRAPPERS: readonly Wrap[] = [
  (grafted, beside) => ({ type: 'object', required: ['grafted'], properties: { beside, grafted } }),
  (items) => ({ type: 'array', minItems: 1, items }),
  (grafted, beside) => ({
    allOf: [
      { type: 'object', properties: { beside } },
      { required: ['grafted'], properties: { grafted } },
    ],
  }),
  (schema) => ({ type: 'object', required: ['a'], additionalProperties: schema }),
];

/** The last parameter or the result of a method, as a copy of its own. */
function ownDescriptor(document: PlainDocument, method: PlainMethod, place: string): Plain {
  if (place === 'result')
    return (method['result'] = structuredClone(deref(document, method['result'])));
  const index = method.params.length - 1;
  method.params[index] = structuredClone(deref(document, method.params[index])) as PlainParam;
  return method.params[index];
}
