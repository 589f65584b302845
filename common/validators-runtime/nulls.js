// Nulls that mean "absent", where a document says so: some programs send null for omitted values.

/**
 * Returns params without the nulls that mean "absent", or the same value when there are none. `members`
 * lists [pointer, names of optional members], where `*` stands for all elements. `params` lists the indexes
 * of optional params that may be null: anywhere by name, at the end by position. `names` lists all params.
 */
export function withoutNulls(value, { members, params }, names) {
  let kept = value;
  for (const [pointer, optional] of members) {
    const [index, ...steps] = pointer.slice(1).split('/').map(unescape);
    kept = dropAt(kept, [Array.isArray(kept) ? index : names[index], ...steps], optional);
  }
  if (!Array.isArray(kept)) {
    return dropAt(
      kept,
      [],
      params.map((index) => names[index]),
    );
  }
  let count = kept.length;
  while (count > 0 && kept[count - 1] === null && params.includes(count - 1)) count -= 1;
  return count === kept.length ? kept : kept.slice(0, count);
}

/** Copies only what leads to a null that is dropped. */
function dropAt(value, [step, ...steps], optional) {
  if (typeof value !== 'object' || value === null) return value;
  if (step === undefined) {
    const isAbsent = ([name, member]) => member === null && optional.includes(name);
    const entries = Array.isArray(value) ? [] : Object.entries(value);
    return entries.some(isAbsent)
      ? Object.fromEntries(entries.filter((entry) => !isAbsent(entry)))
      : value;
  }
  if (step === '*' && Array.isArray(value)) {
    const elements = value.map((element) => dropAt(element, steps, optional));
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  }
  if (!Object.hasOwn(value, step)) return value;
  const member = dropAt(value[step], steps, optional);
  if (member === value[step]) return value;
  return Array.isArray(value)
    ? value.map((element, index) => (String(index) === step ? member : element))
    : { ...value, [step]: member };
}

function unescape(token) {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
