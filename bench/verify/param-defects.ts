import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import type { Contract } from '../../generator/verify/contract.ts';
import { createValidators } from '../../generator/targets/validators/in-process.ts';
import type { PlainDocument } from '../diff/corpus.ts';
import { toLoaded } from '../diff/document.ts';
import type { Components, Schema } from '../diff/instances/instances.ts';
import { searchWitness } from '../diff/instances/search.ts';
import { deref, type Draw } from '../diff/mutation.ts';
import { schemaMutations, type PlainSchema } from '../diff/schema-mutations.ts';
import type { Variation } from './defect.ts';

/** Mutations that make a server accept more. */
const WIDENING: ReadonlySet<string> = new Set(
  [
    'minimum',
    'maximum',
    'maxLength',
    'maxItems',
    'pattern',
    'enum',
    'required',
    'uniqueItems',
    'additionalProperties',
    'items',
    'type',
  ]
    .map((keyword) => `remove ${keyword}`)
    .concat(
      'minimum -1',
      'maximum +1',
      'minLength -1',
      'maxLength +1',
      'minItems -1',
      'maxItems +1',
      'number instead of integer',
      'make a required member optional',
    ),
);

/** Places that each mutation is applied to. */
const PLACES = 2;

/** Values tried in search of one that only the changed schema allows. */
const TRIES = 400;

/** Maximum number of places that are tried for a mutation. */
const MAX_TRIED = 12;

/** Maximum depth of a place below its parameter. */
const MAX_DEPTH = 6;

interface Place {
  readonly method: number;
  readonly param: number;
  readonly path: readonly (string | number)[];
  readonly schema: PlainSchema;
}

/** Returns servers that accept values which the document refuses, each because of one keyword. */
export async function paramDefects(
  document: PlainDocument,
  contract: Contract,
  draw: Draw,
): Promise<readonly Variation[]> {
  const places = placesOf(document, contract);
  const defects: Variation[] = [];
  for (const mutation of schemaMutations.filter(({ name }) => WIDENING.has(name))) {
    // A format refuses what the pattern beside it does, so the server would not accept more.
    const fitting = places.filter(
      ({ schema }) => !('x-format' in schema) && mutation.change(schema, draw) !== undefined,
    );
    let made = 0;
    for (let tried = 0; made < PLACES && tried < MAX_TRIED && fitting.length > 0; tried += 1) {
      const index = Math.floor(draw.chance() * fitting.length);
      const [place] = fitting.splice(index, 1) as [Place];
      const changed = changeAt(
        document,
        place,
        (schema) => mutation.change(schema, draw) ?? schema,
      );
      if (!isWider(document, changed, { place, draw })) continue;
      const { methods } = document;
      const { name, params } = methods[place.method]!;
      const param = deref(document, params[place.param])['name'];
      const label = `${mutation.name} of ${name} ${String(param)}/${place.path.join('/')}`;
      defects.push(await acceptAs(changed, name, label));
      made += 1;
    }
  }
  return defects;
}

/** Returns a server that accepts the params of one method as another document does. */
async function acceptAs(changed: PlainDocument, name: string, label: string): Promise<Variation> {
  const { model } = await toLoaded(changed);
  const { validateParams } = createValidators(model).get(name)!;
  return {
    name: label,
    change: ({ refuses }) => ({
      refuses: (method, params, transport) =>
        method.name === name
          ? validateParams(params)[0]?.message
          : refuses(method, params, transport),
    }),
  };
}

function componentsOf(document: PlainDocument): Components {
  return ((document['components'] as JsonObject | undefined)?.['schemas'] ?? {}) as Components;
}

function placesOf(document: PlainDocument, contract: Contract): Place[] {
  const called = new Set(contract.methods.map(({ name }) => name));
  return document.methods.flatMap(({ name, params = [] }, method) =>
    !called.has(name)
      ? []
      : params.flatMap((each, param) => {
          const { schema } = deref(document, each) as { schema?: Schema };
          return [...schemasAt(document, schema ?? true)].map((place) => ({
            method,
            param,
            ...place,
          }));
        }),
  );
}

function* schemasAt(
  document: PlainDocument,
  schema: unknown,
  path: readonly (string | number)[] = [],
): Generator<Pick<Place, 'path' | 'schema'>> {
  if (!isObject(schema) || path.length > MAX_DEPTH) return;
  const own = deref(document, schema);
  yield { path, schema: own };
  for (const keyword of ['properties', 'allOf', 'anyOf', 'oneOf']) {
    for (const [key, below] of Object.entries((own[keyword] ?? {}) as object)) {
      yield* schemasAt(document, below, [...path, keyword, key]);
    }
  }
  for (const keyword of ['items', 'additionalProperties']) {
    yield* schemasAt(document, own[keyword], [...path, keyword]);
  }
}

/** Returns the document with one schema changed, for one parameter only. */
function changeAt(
  document: PlainDocument,
  { method, param, path }: Place,
  change: (schema: PlainSchema) => Schema,
): PlainDocument {
  const copy = structuredClone(document);
  const { params } = copy.methods[method]!;
  const own = { ...deref(copy, params[param]) };
  const inlined = (schema: unknown, [key, ...rest]: readonly (string | number)[]): unknown => {
    // Siblings of a reference to a content descriptor stay behind.
    if (key === undefined) return change({ ...deref(copy, schema) });
    const holder = Array.isArray(schema) ? [...(schema as Json[])] : { ...deref(copy, schema) };
    const at = holder as Record<string | number, unknown>;
    at[key] = inlined(at[key], rest);
    return holder;
  };
  own['schema'] = inlined(own['schema'], path);
  params[param] = own as (typeof params)[number];
  return copy;
}

function isWider(
  document: PlainDocument,
  changed: PlainDocument,
  { place, draw }: { readonly place: Place; readonly draw: Draw },
): boolean {
  const [outer, inner] = [document, changed].map((each) => ({
    schema: deref(each, each.methods[place.method]!.params[place.param])['schema'] as Schema,
    components: componentsOf(each),
  }));
  const search = { chance: draw.chance, tries: TRIES };
  return searchWitness({ inner: inner!, outer: outer! }, search) !== undefined;
}
