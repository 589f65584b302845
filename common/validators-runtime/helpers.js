// Functions that compiled validators call, in place of Ajv's own runtime.

/**
 * Maximum number of calls between schemas in a validation: a fixed number or, if higher, a number for each
 * part of the value. Unions of schemas that contain themselves can double the calls at each level.
 */
const MAX_CALLS = 50_000;
const MAX_CALLS_PER_PART = 20;

/** The validation in progress: its value, until its size is counted, and the calls it has left. */
let current = undefined;
let callsLeft = Infinity;

/** Keys of the parts of that value, kept because nested parts are compared at each level. */
let keys = undefined;

/** The value takes more calls to validate than its size justifies. */
export class TooManyCallsError extends RangeError {}

/**
 * Runs a compiled validator and returns its errors, or null when the value is valid.
 *
 * @throws RangeError when the value is nested too deeply, or takes too many calls to validate
 */
export function validateBounded(validate, value) {
  current = value;
  callsLeft = MAX_CALLS;
  keys = null;
  try {
    return validate(value) ? null : validate.errors;
  } finally {
    current = undefined;
    callsLeft = Infinity;
    keys = undefined;
  }
}

/** Counts a call from one schema to another. */
export function countCall() {
  callsLeft -= 1;
  if (callsLeft < 0) extendCalls();
}

function extendCalls() {
  const value = current;
  current = undefined;
  callsLeft = MAX_CALLS_PER_PART * partsOf(value) - MAX_CALLS;
  if (callsLeft < 0) throw new TooManyCallsError('too many calls between schemas');
}

/** Returns the number of objects, arrays and scalars in a JSON value; 0 for undefined. */
function partsOf(value) {
  if (value === undefined) return 0;
  let count = 0;
  const ahead = [value];
  while (ahead.length > 0) {
    const next = ahead.pop();
    count += 1;
    if (isObject(next)) for (const key of Object.keys(next)) ahead.push(next[key]);
  }
  return count;
}

/** Appends errors to a list in place: copying it each time would take quadratic time. */
export function append(list, errors) {
  for (const error of errors) list.push(error);
  return list;
}

/** Compiles a pattern of a schema with `flags`, or without them when it is not valid with them. */
export function pattern(source, flags) {
  try {
    return new RegExp(source, flags);
  } catch {
    return new RegExp(source);
  }
}

/** Returns the length in characters rather than UTF-16 units (JSON Schema, maxLength). */
export function ucs2length(text) {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Compares JSON values deeply. */
export function equal(a, b) {
  if (a === b || !isObject(a) || !isObject(b)) return a === b;
  const known = knownKeys();
  return keyOf(a, known) === keyOf(b, known);
}

/** Returns the indexes of the first two equal elements of a list, or null. */
export function duplicate(list) {
  const seen = new Map();
  const known = knownKeys();
  for (let index = 0; index < list.length; index += 1) {
    const key = keyOf(list[index], known);
    const earlier = seen.get(key);
    if (earlier !== undefined) return [earlier, index];
    seen.set(key, index);
  }
  return null;
}

function knownKeys() {
  if (keys) return keys;
  const made = { byPart: new Map(), byText: new Map() };
  if (keys === null) keys = made;
  return made;
}

/**
 * Returns the same key for equal JSON values, whatever the order of their members. The key of an object or
 * array is short, and computed only once.
 */
function keyOf(value, known) {
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  let key = known.byPart.get(value);
  if (key === undefined) {
    const text = textOf(value, known);
    // No JSON text of a scalar begins with "#".
    key = known.byText.get(text) ?? `#${known.byText.size}`;
    known.byText.set(text, key);
    known.byPart.set(value, key);
  }
  return key;
}

function textOf(value, known) {
  if (Array.isArray(value)) return `[${value.map((each) => keyOf(each, known)).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${keyOf(value[name], known)}`).join(',')}}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}
