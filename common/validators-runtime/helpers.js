// Functions that compiled validators call, in place of Ajv's own runtime.

/**
 * Maximum number of calls between schemas in a validation: a fixed number or, if higher, a number for each
 * part of the value. Unions of schemas that contain themselves can double the calls at each level.
 */
const MAX_CALLS = 50_000;
const MAX_CALLS_PER_PART = 20;

/**
 * Maximum work of a validation: the number of keywords, branches and names that are applied, counted where
 * a schema has many, and in loops. A wide schema could otherwise be applied to each of many small parts.
 */
const MAX_WORK = 1_000_000;
const MAX_WORK_PER_PART = 20;

/** Characters of a text that together are counted as work. */
const CHARACTERS_PER_WORK = 256;

/** The validation in progress: its value, the number of its parts once counted, and what it has used. */
let current = undefined;
let parts = undefined;
let calls = 0;
let maxCalls = Infinity;
let work = 0;
let maxWork = Infinity;

/** The calls and the work of all earlier validations, and all steps that limit no validation. */
let earlierSteps = 0;

/** Whether validations have taken too long for those who wait for them; undefined if no one waits. */
let isOverTime = undefined;

/** Keys of the parts of that value, kept because nested parts are compared at each level. */
let keys = undefined;

/** The value takes more calls or work to validate than its size justifies. */
export class TooManyCallsError extends RangeError {}

/**
 * Runs a compiled validator and returns its errors, or null when the value is valid.
 *
 * @throws RangeError when the value is nested too deeply, or takes too many calls or too much work to validate
 */
export function validateBounded(validate, value) {
  current = value;
  earlierSteps += calls + work;
  calls = 0;
  maxCalls = MAX_CALLS;
  work = 0;
  maxWork = MAX_WORK;
  keys = null;
  try {
    return validate(value) ? null : validate.errors;
  } finally {
    current = undefined;
    parts = undefined;
    maxCalls = Infinity;
    maxWork = Infinity;
    keys = undefined;
  }
}

/** Returns the number of steps of all validations so far, so that a caller can limit those of many. */
export function countedSteps() {
  return earlierSteps + calls + work;
}

/** Counts steps that do not limit the validation in progress, since something else does. */
export function countSteps(amount) {
  earlierSteps += amount;
}

/**
 * Runs validations that end with TooManyCallsError once `isOver` returns true, which is asked at each step.
 * Within others of this kind, theirs counts.
 */
export function validateUntil(isOver, run) {
  if (isOverTime !== undefined) return run();
  isOverTime = isOver;
  try {
    return run();
  } finally {
    isOverTime = undefined;
  }
}

/** Throws TooManyCallsError if the validations that run have taken too long. */
export function checkTime() {
  if (isOverTime?.() === true) throw new TooManyCallsError('it takes too much time');
}

/** Counts a call from one schema to another. */
export function countCall() {
  calls += 1;
  if (calls > maxCalls) maxCalls = limitBySize(calls, MAX_CALLS_PER_PART);
  checkTime();
}

/** Counts work other than calls. */
export function countWork(amount) {
  work += amount;
  if (work > maxWork) maxWork = limitBySize(work, MAX_WORK_PER_PART);
  checkTime();
}

/** Counts the work of reading a text. */
export function countText(text) {
  if (text.length > CHARACTERS_PER_WORK) countWork(text.length / CHARACTERS_PER_WORK);
}

/** Returns the limit for a value of this size, which is only counted when needed. */
function limitBySize(used, perPart) {
  parts ??= partsOf(current);
  const limit = perPart * parts;
  if (used > limit) throw new TooManyCallsError('too many steps for the size of the value');
  return limit;
}

/** Returns the number of objects, arrays and scalars in a JSON value. */
function partsOf(value) {
  let count = 1;
  // The open arrays, and the next element of each: a list of all parts could take much memory.
  const open = isObject(value) ? [childrenOf(value)] : [];
  const next = [0];
  while (open.length > 0) {
    const list = open.at(-1);
    const index = next[open.length - 1];
    if (index === 0) count += list.length;
    if (index === list.length) {
      open.pop();
      next.pop();
      continue;
    }
    next[open.length - 1] += 1;
    if (!isObject(list[index])) continue;
    open.push(childrenOf(list[index]));
    next.push(0);
  }
  return count;
}

function childrenOf(value) {
  return Array.isArray(value) ? value : Object.values(value);
}

/** Appends errors to a list in place: copying it each time would take quadratic time. */
export function append(list, errors) {
  countWork(errors.length);
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
  countText(text);
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Returns the number of members of an object (JSON Schema, maxProperties). */
export function memberCount(object) {
  const { length } = Object.keys(object);
  countWork(length);
  return length;
}

/** The texts of constants that are objects or arrays. */
const constantTexts = new WeakMap();

/** Compares a value with a constant of a schema, an object or array. */
export function equal(constant, value) {
  if (!isObject(value)) return false;
  let text = constantTexts.get(constant);
  if (text === undefined) {
    text = sortedText(constant);
    constantTexts.set(constant, text);
  }
  return textOnce(value) === text;
}

/** Returns the indexes of the first two equal elements of a list, or null. */
export function duplicate(list) {
  countWork(list.length);
  const scalars = new Map();
  const others = new Map();
  const known = knownKeys();
  for (let index = 0; index < list.length; index += 1) {
    const each = list[index];
    // Texts themselves, whose hashes are kept: to print a long one takes as long as hundreds of elements.
    const [seen, key] = isObject(each) ? [others, keyOf(each, known)] : [scalars, each];
    const earlier = seen.get(key);
    if (earlier !== undefined) return [earlier, index];
    seen.set(key, index);
  }
  return null;
}

/** The scalars of each enumeration that was looked up, and the texts of its objects and arrays. */
const allowedBy = new WeakMap();

/** Checks whether a list of allowed values has a value, in a time that the list does not change. */
export function listed(values, value) {
  let allowed = allowedBy.get(values);
  if (allowed === undefined) {
    const scalars = values.filter((each) => !isObject(each));
    allowed = {
      scalars: new Set(scalars),
      texts: new Set(values.filter(isObject).map(sortedText)),
    };
    allowedBy.set(values, allowed);
  }
  if (!isObject(value)) return allowed.scalars.has(value);
  if (allowed.texts.size === 0) return false;
  return allowed.texts.has(textOnce(value));
}

/** Returns the text of an object or array, which is made once in a validation. */
function textOnce(value) {
  const { texts } = knownKeys();
  let text = texts.get(value);
  if (text === undefined) {
    text = sortedText(value);
    countText(text);
    texts.set(value, text);
  }
  return text;
}

/** Returns the same JSON text for equal values, whatever the order of their members. */
function sortedText(value) {
  return isObject(value) ? textOf(value, sortedText) : scalarText(value);
}

function knownKeys() {
  if (keys) return keys;
  const made = { byPart: new Map(), byText: new Map(), texts: new Map() };
  if (keys === null) keys = made;
  return made;
}

/**
 * Returns the same key for equal JSON values, whatever the order of their members. The key of an object or
 * array is short, and computed only once.
 */
function keyOf(value, known) {
  if (!isObject(value)) return scalarText(value);
  let key = known.byPart.get(value);
  if (key === undefined) {
    const text = textOf(value, (part) => keyOf(part, known));
    // No JSON text of a scalar begins with "#".
    key = known.byText.get(text) ?? `#${known.byText.size}`;
    known.byText.set(text, key);
    known.byPart.set(value, key);
  }
  return key;
}

/** Returns the text of an object or array, its members in order; `partText` gives that of each part. */
function textOf(value, partText) {
  if (Array.isArray(value)) return `[${value.map((each) => partText(each)).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${partText(value[name])}`).join(',')}}`;
}

function scalarText(value) {
  return JSON.stringify(value) ?? 'undefined';
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}
