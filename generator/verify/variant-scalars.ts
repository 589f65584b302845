import type { Json, JsonObject } from '../../common/json/value.ts';
import { numberAt } from '../model/member.ts';
import { textsNear } from './variant-values.ts';

type Scalar = readonly [keyword: string, title: string, value: Json];

/** Longer texts are not sent. */
const MAX_TEXT = 100_000;

/** Yields values just inside and just outside the constraints of a schema on texts, numbers and constants. */
export function* scalarsNear(schema: JsonObject, value: Json): Generator<Scalar> {
  yield* ofValues(schema);
  yield* ofText(schema, value);
  yield* ofNumber(schema);
}

function* ofValues(schema: JsonObject): Generator<Scalar> {
  const { enum: values, const: constant } = schema;
  const allowed = Array.isArray(values)
    ? (values as readonly Json[])
    : constant === undefined
      ? []
      : [constant];
  const keyword = Array.isArray(values) ? 'enum' : 'const';
  for (const value of allowed) {
    yield [keyword, `the value ${JSON.stringify(value)}`, value];
  }
  const text = allowed.find((each) => typeof each === 'string');
  if (text === undefined) return;
  for (const other of [`${text}x`, text.toUpperCase(), text.slice(0, -1), `${text} `]) {
    yield [keyword, `the value ${JSON.stringify(other)}`, other];
  }
}

function* ofText(schema: JsonObject, value: Json): Generator<Scalar> {
  if (typeof value !== 'string') return;
  const keyword = ['pattern', 'format', 'x-format'].find((each) => each in schema);
  if (keyword !== undefined) {
    for (const [title, text] of textsNear(value)) yield [keyword, title, text];
  }
  for (const keyword of ['minLength', 'maxLength']) {
    const length = numberAt(schema, keyword);
    if (length === null || length > MAX_TEXT) continue;
    for (const count of [length - 1, length, length + 1]) {
      const text = value === '' ? 'a' : value;
      if (count >= 0)
        yield [
          keyword,
          `${count} characters`,
          text.repeat(Math.ceil(count / text.length)).slice(0, count),
        ];
    }
  }
}

function* ofNumber(schema: JsonObject): Generator<Scalar> {
  const isInteger = [schema['type']].flat().includes('integer');
  const step = isInteger ? 1 : 0.5;
  for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
    const bound = numberAt(schema, keyword);
    if (bound === null) continue;
    for (const value of [bound - step, bound, bound + step]) yield [keyword, String(value), value];
  }
  if (isInteger) {
    // Apart from other wrong types, so that fractions are tried first.
    for (const value of [0.5, 1.5]) yield ['type integer', String(value), value];
    for (const value of [-1, 1e21]) yield ['type', String(value), value];
  }
  const multiple = numberAt(schema, 'multipleOf');
  if (multiple === null) return;
  for (const value of [multiple, multiple * 1.5]) yield ['multipleOf', String(value), value];
}
