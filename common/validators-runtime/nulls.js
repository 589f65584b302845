// Nulls that mean "absent", where a document says so: some programs send null for omitted values.

/**
 * Returns the function that removes such nulls from params, and returns the same value when there are none.
 * `members` lists [pointer, names of optional members], where `*` stands for all elements. `params` lists the
 * indexes of optional params that may be null: anywhere by name, at the end by position. `names` lists all
 * params. The pointers are joined to a tree, so that a value is read once, however many there are.
 */
export function nullRemover({ members, params }, names) {
  const byPosition = createPlace();
  for (const [pointer, optional] of members) {
    const steps = pointer.slice(1).split('/').map(unescape);
    const place = steps.reduce(placeBelow, byPosition);
    for (const name of optional) place.optional.add(name);
  }
  const byName = createPlace();
  for (const [index, place] of byPosition.below) byName.below.set(names[index], place);
  for (const index of params) byName.optional.add(names[index]);
  return (value) => {
    if (!Array.isArray(value)) return withoutNulls(value, [byName]);
    const kept = withoutNulls(value, [byPosition]);
    let count = kept.length;
    while (count > 0 && kept[count - 1] === null && params.includes(count - 1)) count -= 1;
    return count === kept.length ? kept : kept.slice(0, count);
  };
}

/** A place in params: the members that are optional there, and the places below it. */
function createPlace() {
  return { optional: new Set(), below: new Map() };
}

function placeBelow({ below }, step) {
  if (!below.has(step)) below.set(step, createPlace());
  return below.get(step);
}

/** Copies only what leads to a null that is removed. `places`: those that the value is at. */
function withoutNulls(value, places) {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? fromArray(value, places) : fromObject(value, places);
}

function fromArray(values, places) {
  if (places.length === 0) return values;
  const ofAll = placesAt(places, '*');
  let kept = values;
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'object' || value === null) continue;
    const left = withoutNulls(value, [...ofAll, ...placesAt(places, String(index))]);
    if (left === value) continue;
    if (kept === values) kept = [...values];
    kept[index] = left;
  }
  return kept;
}

function fromObject(value, places) {
  if (places.length === 0) return value;
  const kept = [];
  let isChanged = false;
  for (const [name, member] of Object.entries(value)) {
    if (member === null && places.some(({ optional }) => optional.has(name))) {
      isChanged = true;
      continue;
    }
    const left = withoutNulls(member, placesAt(places, name));
    isChanged ||= left !== member;
    kept.push([name, left]);
  }
  return isChanged ? Object.fromEntries(kept) : value;
}

function placesAt(places, step) {
  return places.flatMap(({ below }) => below.get(step) ?? []);
}

function unescape(token) {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
