import { joinPointer, referenceTo, splitPointer, valueAt } from '../../common/json/pointer.ts';
import { localTarget } from '../../common/json/reference.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';
import { createComponentNames } from './component-name.ts';
import type { Places } from './places.ts';
import { findReferences, setMember, type Mutable } from './references.ts';

/** The kind of component for each place; the first matching row applies. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^\/methods\/\d+\/(?:params\/\d+|result)$/, 'contentDescriptors'],
  [/^\/methods\/\d+\/errors\/\d+$/, 'errors'],
  [/^\/methods\/\d+\/examples\/\d+$/, 'examplePairings'],
  [/\/(?:params\/\d+|result)$/, 'examples'],
  [/^\/methods\/\d+\/links\/\d+$/, 'links'],
  [/^\/methods\/\d+\/tags\/\d+$/, 'tags'],
];

const COMPONENT = /^\/components\/[^/]+\/[^/]+$/;

/**
 * Moves objects that several places refer to into components. `shared` has the pointers to each object:
 * its current place, then the references. Changes `document`.
 */
export function shareParts(
  document: JsonObject,
  shared: ReadonlyMap<object, readonly string[]>,
  places: Places,
): void {
  const moved = new Map<string, string>();
  const names = new Map<string, ReturnType<typeof createComponentNames>>();
  // Nested parts first: the parts that contain them are then moved with references to them.
  const depthOf = (pointers: readonly string[]) => pointers[0]!.split('/').length;
  const several = [...shared].filter(([, pointers]) => pointers.length > 1);
  for (const [target, pointers] of several.toSorted(([, a], [, b]) => depthOf(b) - depthOf(a))) {
    const [from] = pointers as [string];
    const kind = KINDS.find(([pattern]) => pattern.test(from))?.[1];
    const place = places.of(target);
    if (kind === undefined || place === null) continue;
    const nameOf = names.get(kind) ?? namesOf(document, kind);
    names.set(kind, nameOf);
    const own = pointers.find((pointer) => COMPONENT.test(pointer));
    const to = own ?? joinPointer(`/components/${kind}`, nameOf(place));
    setAt(document, from, { $ref: referenceTo(to) });
    setAt(document, to, target as JsonObject);
    moved.set(from, to);
  }
  if (moved.size === 0) return;
  for (const { reference, holder } of findReferences(document)) {
    const target = localTarget(reference);
    const to = target === null ? null : follow(target, moved);
    if (to !== null) (holder as Mutable)['$ref'] = referenceTo(to);
  }
}

/** Returns the new place of a pointer, or null if it did not move. */
function follow(pointer: string, moved: ReadonlyMap<string, string>): string | null {
  for (let from = pointer; from !== ''; from = from.slice(0, from.lastIndexOf('/'))) {
    const to = moved.get(from);
    if (to !== undefined) return to + pointer.slice(from.length);
  }
  return null;
}

function namesOf(document: JsonObject, kind: string): ReturnType<typeof createComponentNames> {
  return createComponentNames(Object.keys(valueAt(document, `/components/${kind}`) ?? {}));
}

/** Sets the value at a pointer and creates missing objects on the way. */
export function setAt(document: JsonObject, pointer: string, value: Json): void {
  const tokens = splitPointer(pointer);
  let holder = document as Mutable;
  for (const token of tokens.slice(0, -1)) holder = (holder[token] ??= {}) as Mutable;
  setMember(holder, tokens.at(-1)!, value);
}
