// Pure functions that compiled validators call, in place of Ajv's own runtime.

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
  return a === b || (isObject(a) && isObject(b) && canonical(a) === canonical(b));
}

/** Returns the indexes of the first two equal elements of a list, or null. */
export function duplicate(list) {
  const seen = new Map();
  for (let index = 0; index < list.length; index += 1) {
    const key = canonical(list[index]);
    const earlier = seen.get(key);
    if (earlier !== undefined) return [earlier, index];
    seen.set(key, index);
  }
  return null;
}

/** Returns the same text for equal JSON values, whatever the order of their members. */
function canonical(value) {
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}
