import { joinPointer, memberOf } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { objectAt } from '../schema/document-schemas.ts';
import { schemaList } from '../schema/subschemas.ts';
import { numberAt, stringsAt } from '../model/member.ts';
import type { Contract, VerifiedMethod } from './contract.ts';
import type { Seeds } from './seeds.ts';
import { withParam } from './params.ts';
import { scalarsNear } from './variant-scalars.ts';
import { otherTypes } from './variant-values.ts';

/** Params for a call that are just inside or just outside a constraint. */
export interface Variant {
  readonly params: Json;
  /** The constraint: "eth_getProof /0 pattern". */
  readonly site: string;
  readonly title: string;
}

/** A value in the params, with the way to replace it. */
interface Place {
  readonly path: string;
  readonly value: Json;
  put(value: Json): Json;
  /** Whether null may stand for a value that is left out, so that no call tries it. */
  readonly isNullable: boolean;
}

interface Walker {
  readonly contract: Contract;
  readonly seeds: Seeds;
  readonly method: VerifiedMethod;
  /** Component schemas around the place. */
  readonly within: readonly string[];
  /** Number of schemas that may still be read. */
  readonly steps: { left: number };
}

type At = (keyword: string, title: string, value: Json) => Variant;

/** Maximum depth of schemas below a parameter. */
const MAX_DEPTH = 8;

/**
 * Maximum number of schemas that are read for the params of a method: components that refer to each other
 * from several places would multiply them at each level.
 */
const MAX_SCHEMAS = 5_000;

/** Longer arrays are not sent. */
const MAX_ITEMS = 2_000;

/** Yields variants of valid params for each constraint of each parameter. */
export function* variantsOf(
  contract: Contract,
  method: VerifiedMethod,
  { base, seeds }: { readonly base: Json; readonly seeds: Seeds },
): Generator<Variant> {
  yield { params: base, site: `${method.name} params`, title: 'valid params' };
  yield* variantsOfStructure(method, base);
  const walker: Walker = { contract, seeds, method, within: [], steps: { left: MAX_SCHEMAS } };
  for (const [index, param] of method.params.entries()) {
    const key = Array.isArray(base) ? index : param.name;
    const value = memberOf(base, String(key)) ?? seeds.make(param.schema);
    if (value === undefined) continue;
    const put = (each: Json): Json => withParam(seeds, method, { base, index, value: each });
    const place = { path: joinPointer('', key), value, put, isNullable: !param.required };
    yield* variantsAt(walker, param.schema, place);
  }
}

function putAt(list: readonly Json[], index: number, value: Json): readonly Json[] {
  return Object.assign([...list], { [index]: value }) as readonly Json[];
}

/** Yields params with a required one missing, with too many, and in the other structure. */
function* variantsOfStructure(
  { name: methodName, params, paramStructure }: VerifiedMethod,
  base: Json,
): Generator<Variant> {
  const site = (keyword: string): string => `${methodName} params ${keyword}`;
  const names = params.map(({ name }) => name);
  const positional = Array.isArray(base) ? (base as readonly Json[]) : undefined;
  const named: JsonObject =
    positional === undefined
      ? (base as JsonObject)
      : Object.fromEntries(
          positional.map((value, index) => [names[index] ?? `param${index}`, value]),
        );
  const list = positional ?? names.map((name) => memberOf(named, name) ?? null);
  for (const { name, required } of params) {
    if (!required) continue;
    const without = positional?.slice(0, names.indexOf(name)) ?? withoutMember(named, name);
    yield { params: without, site: site(`required ${name}`), title: `without ${name}` };
  }
  if (params.length > 0 && positional !== undefined) {
    const full = [...positional, ...params.slice(positional.length).map(() => null)];
    if (full.length === positional.length) {
      yield {
        params: [...full, null],
        site: site('maxItems'),
        title: 'with an additional param (null)',
      };
    }
    yield { params: [...full, 1, 2], site: site('maxItems'), title: 'with additional params' };
  } else if (positional !== undefined) {
    yield { params: [1], site: site('maxItems'), title: 'with a param' };
  } else {
    const unknown = { ...named, unknownParam: 1 };
    yield { params: unknown, site: site('maxItems'), title: 'with an unknown param' };
  }
  const other = positional === undefined ? list : named;
  if (paramStructure !== 'either' || params.length > 0) {
    yield { params: other, site: site('structure'), title: 'in the other structure' };
  }
}

function withoutMember(value: JsonObject, name: string): JsonObject {
  const { [name]: _, ...others } = value;
  return others;
}

function* variantsAt(walker: Walker, root: Schema, place: Place): Generator<Variant> {
  const { contract, method, steps } = walker;
  steps.left -= 1;
  const { schema, name } = contract.resolve(root);
  if (!isObject(schema) || walker.within.length > MAX_DEPTH || steps.left < 0) return;
  // A schema within itself has the same constraints again.
  if (name !== null && walker.within.includes(name)) return;
  const inner = { ...walker, within: [...walker.within, name ?? ''] };
  const at: At = (keyword, title, value) => ({
    params: place.put(value),
    site: `${method.name} ${place.path} ${keyword}`,
    title: `${place.path}: ${title}`,
  });
  for (const keyword of ['type', 'pattern', 'enum', 'const', 'minLength', 'maxLength', 'format']) {
    if (keyword in schema) yield at(keyword, 'a valid value', place.value);
  }
  yield* ofType(schema, place, at);
  for (const [keyword, title, value] of scalarsNear(schema, place.value)) {
    yield at(keyword, title, value);
  }
  yield* ofArray(inner, schema, place, at);
  yield* ofObject(inner, schema, place, at);
  yield* ofCombined(inner, schema, place);
}

function* ofType(schema: JsonObject, { value, isNullable }: Place, at: At): Generator<Variant> {
  if (!['type', 'enum', 'const', 'anyOf', 'oneOf'].some((keyword) => keyword in schema)) return;
  const keyword =
    'type' in schema ? 'type' : 'anyOf' in schema ? 'anyOf' : 'oneOf' in schema ? 'oneOf' : 'enum';
  for (const [type, other] of otherTypes(value)) {
    if (type === 'null' && isNullable) continue;
    yield at(keyword, `${type} instead`, other);
  }
}

function* ofArray(walker: Walker, schema: JsonObject, place: Place, at: At): Generator<Variant> {
  const { items } = schema;
  const isArray = Array.isArray(place.value);
  if (!isArray && schema['type'] !== 'array') return;
  const list = isArray ? (place.value as readonly Json[]) : [];
  const itemAt = (index: number): Schema =>
    ((Array.isArray(items) ? (items as readonly Json[])[index] : items) ?? true) as Schema;
  const item = list[0] ?? walker.seeds.make(itemAt(0)) ?? 0;
  for (const keyword of ['minItems', 'maxItems']) {
    const length = numberAt(schema, keyword);
    if (length === null || length > MAX_ITEMS) continue;
    for (const count of [length - 1, length, length + 1]) {
      const longer = Array.from({ length: Math.max(0, count) }, (_, index) => list[index] ?? item);
      if (count >= 0) yield at(keyword, `${count} elements`, longer);
    }
  }
  if (schema['uniqueItems'] === true)
    yield at('uniqueItems', 'the same element twice', [item, item]);
  if (items === undefined) return;
  const count = Array.isArray(items) ? items.length : 1;
  for (let index = 0; index < count; index += 1) {
    const value = list[index] ?? walker.seeds.make(itemAt(index));
    if (value === undefined) continue;
    yield* variantsAt(walker, itemAt(index), {
      path: joinPointer(place.path, index),
      value,
      put: (each) => place.put(putAt(list, index, each)),
      isNullable: false,
    });
  }
}

function* ofObject(walker: Walker, schema: JsonObject, place: Place, at: At): Generator<Variant> {
  const properties = objectAt(schema, 'properties');
  const required = stringsAt(schema, 'required');
  const { additionalProperties } = schema;
  const isEmpty = Object.keys(properties).length === 0 && required.length === 0;
  if (!isObject(place.value) || (isEmpty && additionalProperties === undefined)) return;
  const value = place.value;
  for (const name of required) {
    yield at('required', `without ${name}`, withoutMember(value, name));
  }
  if (additionalProperties === false) {
    yield at('additionalProperties', 'with an unknown member', { ...value, unknownMember: 1 });
  }
  const dropsNulls = objectAt(schema, 'x-normalize')['to'] === 'without-nulls';
  const others = isObject(additionalProperties)
    ? { [otherName(walker, schema, value)]: additionalProperties }
    : {};
  for (const [name, below] of Object.entries({ ...properties, ...others })) {
    const inner = memberOf(value, name) ?? walker.seeds.make(below as Schema);
    if (inner === undefined) continue;
    const path = joinPointer(place.path, name);
    const put = (each: Json): Json => place.put({ ...value, [name]: each });
    yield {
      params: put(inner),
      site: `${walker.method.name} ${path} present`,
      title: `${path}: present`,
    };
    yield* variantsAt(walker, below as Schema, {
      path,
      value: inner,
      put,
      isNullable: dropsNulls && !required.includes(name),
    });
  }
}

/** Returns the name of a member without a description: one that is there, or a valid one. */
function otherName({ seeds }: Walker, schema: JsonObject, value: JsonObject): string {
  const properties = objectAt(schema, 'properties');
  const there = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (there !== undefined) return there;
  const names = schema['propertyNames'];
  const made = names === undefined ? undefined : seeds.make(names as Schema);
  return typeof made === 'string' ? made : 'member';
}

function* ofCombined(walker: Walker, schema: JsonObject, place: Place): Generator<Variant> {
  const { contract, seeds } = walker;
  const same = [
    ...schemaList(schema['allOf']),
    ...schemaList([schema['then'] ?? true, schema['else'] ?? true]),
  ];
  for (const each of same) yield* variantsAt(walker, each, place);
  for (const keyword of ['anyOf', 'oneOf']) {
    for (const branch of schemaList(schema[keyword])) {
      const fits = contract.check(branch, place.value).length === 0;
      const value = fits ? place.value : seeds.make(branch);
      if (value === undefined) continue;
      const site = `${walker.method.name} ${place.path} ${keyword}`;
      yield { params: place.put(value), site, title: `${place.path}: another form` };
      yield* variantsAt(walker, branch, { ...place, value });
    }
  }
}
