/** Changes of how a document is written that change nothing about the service. */
import { harmless } from './apply.ts';
import type { PlainDocument } from './corpus.ts';
import { deref, type Draw, type Mutation } from './mutation.ts';
import type { PlainSchema } from './schema-mutations.ts';

type Plain = Record<string, unknown>;

const PREFIX = '#/components/schemas/';
const refTo = (name: string) => ({ $ref: `${PREFIX}${name}` });
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema of a document, and a way to replace it. */
interface Place {
  readonly schema: PlainSchema;
  replace(schema: PlainSchema): void;
}

/** Schemas in keywords of schemas. */
const HOLDERS = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'];
const MAPS = ['properties', 'patternProperties'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'items'];

/** Returns all schemas that are written in a document, apart from references. */
function placesIn(document: PlainDocument): readonly Place[] {
  const places: Place[] = [];
  const ahead: [holder: Plain, key: string][] = [];
  for (const method of document.methods) {
    const result = method['result'] === undefined ? [] : [method['result']];
    for (const each of [...method.params, ...result]) ahead.push([deref(document, each), 'schema']);
  }
  const components = schemasOf(document);
  for (const name of Object.keys(components)) ahead.push([components, name]);
  const seen = new Set<unknown>();
  // Iterating an array includes elements that are added meanwhile.
  for (const [holder, key] of ahead) {
    const schema = holder[key];
    if (!isPlain(schema) || seen.has(schema)) continue;
    seen.add(schema);
    if (schema['$ref'] === undefined)
      places.push({ schema, replace: (other) => void (holder[key] = other) });
    for (const keyword of HOLDERS) ahead.push([schema, keyword]);
    for (const keyword of [...MAPS, ...LISTS]) {
      const map = schema[keyword];
      const isHeld = LISTS.includes(keyword) ? Array.isArray(map) : isPlain(map);
      if (isHeld) for (const each of Object.keys(map as Plain)) ahead.push([map as Plain, each]);
    }
  }
  return places;
}

function schemasOf(document: PlainDocument): Plain {
  const components = (document['components'] ??= {}) as Plain;
  return (components['schemas'] ??= {}) as Plain;
}

/** Changes a random schema that `fits`. */
function onSchema(
  fits: (schema: PlainSchema) => boolean,
  change: (schema: PlainSchema, draw: Draw) => PlainSchema,
): Mutation['apply'] {
  return (document, draw) => {
    const place = draw.pick(placesIn(document).filter(({ schema }) => fits(schema)));
    if (place === undefined) return false;
    place.replace(change(place.schema, draw));
    return true;
  };
}

function extractComponent(document: PlainDocument, draw: Draw): boolean {
  const place = draw.pick(placesIn(document));
  if (place === undefined) return false;
  const name = `Extracted${Math.floor(draw.chance() * 1e9)}`;
  place.replace(refTo(name));
  schemasOf(document)[name] = place.schema;
  return true;
}

function renameComponent(document: PlainDocument, draw: Draw): boolean {
  const schemas = schemasOf(document);
  const name = draw.pick(Object.keys(schemas));
  if (name === undefined) return false;
  const fresh = `Renamed${Math.floor(draw.chance() * 1e9)}`;
  schemas[fresh] = schemas[name];
  delete schemas[name];
  const was = encodeReference(name);
  forEachReference(document, (holder) => {
    if (holder.$ref === was) holder.$ref = `${PREFIX}${fresh}`;
  });
  return true;
}

function inlineComponent(document: PlainDocument, draw: Draw): boolean {
  const schemas = schemasOf(document);
  const references: { $ref: string }[] = [];
  forEachReference(document, (holder) => void references.push(holder));
  const targets = references.filter(({ $ref }) => {
    const target = schemas[$ref.slice(PREFIX.length)];
    // A reference beside other keywords stands alone, and a recursive schema cannot be inlined.
    return $ref.startsWith(PREFIX) && isPlain(target) && !JSON.stringify(target).includes($ref);
  });
  const reference = draw.pick(targets);
  if (reference === undefined) return false;
  const target = schemas[reference.$ref.slice(PREFIX.length)];
  for (const key of Object.keys(reference)) delete (reference as Plain)[key];
  Object.assign(reference, structuredClone(target));
  return true;
}

function encodeReference(name: string): string {
  return `${PREFIX}${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function forEachReference(document: PlainDocument, visit: (holder: { $ref: string }) => void) {
  const ahead: unknown[] = [document.methods, document['components']];
  // Iterating an array includes elements that are added meanwhile.
  for (const next of ahead) {
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, value] of Object.entries(next))
      if (!/^(?:examples|const|enum|x-.*)$/.test(key)) ahead.push(value);
    if (typeof (next as Plain)['$ref'] === 'string') visit(next as { $ref: string });
  }
}

const reversed = (value: unknown) =>
  Object.fromEntries(Object.entries(value as Plain).toReversed());

const UNORDERED = new Set(['required', 'enum', 'anyOf', 'oneOf', 'allOf']);

function reorder(schema: PlainSchema): PlainSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .toReversed()
      .map(([key, value]) => {
        if (MAPS.includes(key) && isPlain(value)) return [key, reversed(value)];
        return [key, UNORDERED.has(key) && Array.isArray(value) ? value.toReversed() : value];
      }),
  );
}

/** Moves half of the members into a part of allOf. */
function splitMembers(schema: PlainSchema): PlainSchema {
  const { properties, ...others } = schema;
  const members = Object.entries(properties as Plain);
  const half = Math.ceil(members.length / 2);
  const part = (from: number, to: number) => ({
    properties: Object.fromEntries(members.slice(from, to)),
  });
  return { ...others, allOf: [part(0, half), part(half, members.length)] };
}

const hasMembers = (schema: PlainSchema) =>
  isPlain(schema['properties']) &&
  Object.keys(schema['properties']).length > 1 &&
  schema['allOf'] === undefined &&
  // A closed schema refuses the members that only parts of allOf describe.
  schema['additionalProperties'] === undefined &&
  schema['patternProperties'] === undefined;

const single: readonly Mutation[] = [
  harmless('extract a component', extractComponent),
  harmless('rename a component', renameComponent),
  harmless('write a component in place', inlineComponent),
  harmless(
    'reorder the keywords, members and variants',
    onSchema(() => true, reorder),
  ),
  harmless('move members into allOf', onSchema(hasMembers, splitMembers)),
  harmless(
    'wrap a schema in allOf',
    onSchema(
      () => true,
      (schema) => ({ allOf: [schema] }),
    ),
  ),
  harmless(
    'describe a schema',
    onSchema(
      () => true,
      (schema) => ({ ...schema, title: 'Other', description: 'Other words.', examples: [] }),
    ),
  ),
];

/** Refactorings at one place, and many at once. */
export const refactorings: readonly Mutation[] = [
  ...single,
  harmless('refactor in ten ways at once', (document, draw) => {
    const applied = Array.from({ length: 10 }, () => draw.pick(single)!.apply(document, draw));
    return applied.includes(true);
  }),
];
