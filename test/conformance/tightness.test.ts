import { describe, expect, inject, test } from 'vitest';
import { validateResult } from '../../generated/validators.js';
import {
  document,
  everyExample,
  resolve,
  resultOf,
  type Json,
  type JsonObject,
} from '../support/document.ts';
import { isObject, places, replaceAt, retyped, without, type Place } from '../support/mutations.ts';
import { call, httpWire } from '../support/wire.ts';

const validators = validateResult as Readonly<
  Record<string, (value: unknown) => readonly unknown[]>
>;

/** The schemas that describe one member of a value, wherever the schema lists it. */
function membersOf(schema: JsonObject, key: string | number): JsonObject[] {
  const here = resolve<JsonObject>(schema);
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap(
    (word) => (here[word] ?? []) as JsonObject[],
  );
  const items = here['items'];
  const own =
    typeof key === 'number'
      ? Array.isArray(items)
        ? items[key]
        : items
      : (here['properties'] as JsonObject | undefined)?.[key];
  return [...(isObject(own) ? [own] : []), ...branches.flatMap((branch) => membersOf(branch, key))];
}

/** Returns the schemas that describe a place; none where the document does not restrict it. */
function describe_(schema: JsonObject, path: Place['path']): JsonObject[] {
  return path.reduce<JsonObject[]>(
    (schemas, key) => schemas.flatMap((one) => membersOf(one, key)),
    [schema],
  );
}

function isConstrained(schema: JsonObject): boolean {
  const here = resolve<JsonObject>(schema);
  return ['type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf'].some((word) => word in here);
}

function isContainer(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

/** Whether the document allows several shapes in a place, such as account data by encoding. */
function hasAlternatives(schema: JsonObject): boolean {
  const here = resolve<JsonObject>(schema);
  return 'anyOf' in here || 'oneOf' in here;
}

/** The names that a schema requires of an object, in any branch. */
function requiredNames(schema: JsonObject, object: JsonObject): string[] {
  const here = resolve<JsonObject>(schema);
  const branches = ['allOf', 'oneOf'].flatMap((word) => (here[word] ?? []) as JsonObject[]);
  const names = ((here['anyOf'] ?? []) as JsonObject[]).map((one) => requiredNames(one, object));
  // Of alternatives such as v and yParity, one is enough.
  const met = names.filter((all) => all.length > 0 && all.every((name) => name in object));
  return [
    ...((here['required'] ?? []) as string[]),
    ...branches.flatMap((one) => requiredNames(one, object)),
    ...(met.length > 1 ? [] : names.flat()),
  ];
}

const live = everyExample()
  .filter(({ example }) => example.result !== undefined && example['x-setup'] === undefined)
  .map(({ method, example }) => ({ method, example, label: `${method.name}: ${example.name}` }));

describe('the schema of a live result accepts no altered result', () => {
  test.each(live)('$label', async ({ method, example }) => {
    const { networks } = inject('product');
    const name = (example['x-network'] ??
      (method['x-network-family'] === 'svm' ? 'solana' : 'evm')) as keyof typeof networks;
    const answer = await call(
      httpWire(networks[name].http),
      method.name,
      example.params.map(({ value }) => value),
    );
    const result = answer.result as Json;
    const validate = validators[method.name]!;
    expect(validate(result), JSON.stringify(answer)).toEqual([]);

    const schema = resultOf(method).schema;
    const survivors: string[] = [];
    let tried = 0;
    for (const place of places(result)) {
      const schemas = describe_(schema, place.path);
      if (!schemas.some(isConstrained)) continue;
      if (isContainer(place.value) && schemas.some(hasAlternatives)) continue;
      // Where null is allowed, exchanging null and a value keeps the result valid.
      for (const damaged of retyped(result, place)) {
        const now = place.path.reduce<Json>(
          (value, key) => (value as JsonObject)[key]!,
          damaged.value,
        );
        if (place.value === null || now === null) continue;
        tried += 1;
        if (validate(damaged.value).length === 0)
          survivors.push(`${place.pointer}: ${damaged.what}`);
      }
      const key = place.path.at(-1);
      if (typeof key !== 'string') continue;
      const path = place.path.slice(0, -1);
      const holder = describe_(schema, path);
      const object = path.reduce<Json>((value, name) => (value as JsonObject)[name]!, result);
      if (holder.some((one) => requiredNames(one, object as JsonObject).includes(key))) {
        tried += 1;
        if (validate(without(result, place).value).length === 0)
          survivors.push(`${place.pointer}: removed`);
      }
    }
    expect(survivors).toEqual([]);
    if (result !== null && (!Array.isArray(result) || result.length > 0))
      expect(tried).toBeGreaterThan(0);
  });

  test('null in place of a value that is never null is rejected', () => {
    const survivors: string[] = [];
    for (const { method, example } of everyExample()) {
      const result = example.result?.value;
      if (result === undefined || result === null) continue;
      const schema = resultOf(method).schema;
      for (const place of places(result)) {
        const schemas = describe_(schema, place.path);
        const nullable = JSON.stringify(schemas.map((one) => resolve(one))).includes(
          '"type":"null"',
        );
        if (place.path.length === 0 || nullable || !schemas.some(isConstrained)) continue;
        if (validators[method.name]!(replaceAt(result, place.path, null)).length === 0)
          survivors.push(`${method.name}${place.pointer}`);
      }
    }
    expect(survivors).toEqual([]);
  });

  test('the examples together show every listed result schema', () => {
    const shown = new Set(
      document.methods
        .filter((method) =>
          method.examples.some(({ result }) => result !== undefined && result.value !== null),
        )
        .map(({ name }) => name),
    );
    expect([...shown]).toEqual(document.methods.map(({ name }) => name));
  });
});
