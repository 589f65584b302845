import {
  joinPointer,
  pointerOfFragment,
  referenceTo,
  splitPointer,
  valueAt,
} from '../../common/json/pointer.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';
import { createComponentNames } from './component-name.ts';
import type { Places } from './places.ts';
import { findReferences } from './references.ts';

type Mutable = Record<string, Json>;

/** Where an object stands that several places of a document refer to, the first of them instead. */
export interface Shared {
  readonly target: object;
  readonly pointers: readonly string[];
}

/** The kind of component that what stands at a place may be; the rules are tried in order. */
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
 * Makes what methods share a component under the name it had where it came from, and every place that
 * refers to it a reference to that component: a method keeps nothing that others need. Changes
 * `document`.
 */
export function shareParts(document: JsonObject, shared: readonly Shared[], places: Places): void {
  const moved = new Map<string, string>();
  const namesOf = createNamesOf(document);
  // What is within another part moves first, and goes with it as a reference.
  for (const { target, pointers } of shared.toSorted((a, b) => depthOf(b) - depthOf(a))) {
    const [from] = pointers as [string];
    const kind = KINDS.find(([pattern]) => pattern.test(from))?.[1];
    const place = places.of(target);
    if (pointers.length < 2 || kind === undefined || place === null) continue;
    const own = pointers.find((pointer) => COMPONENT.test(pointer));
    const to = own ?? joinPointer(`/components/${kind}`, namesOf(kind).claim(place));
    setAt(document, from, { $ref: referenceTo(to) });
    setAt(document, to, target as JsonObject);
    moved.set(from, to);
  }
  for (const { reference, pointer } of moved.size === 0 ? [] : findReferences(document)) {
    const target = reference.startsWith('#') ? pointerOfFragment(reference) : null;
    const to = target === null ? null : follow(target, moved);
    if (to !== null) (valueAt(document, pointer) as Mutable)['$ref'] = referenceTo(to);
  }
}

function depthOf({ pointers }: Shared): number {
  return pointers[0]!.split('/').length;
}

/** Where a pointer leads now; null when nothing on its way was moved. */
function follow(pointer: string, moved: ReadonlyMap<string, string>): string | null {
  const froms = [...moved.keys()].filter((from) => `${pointer}/`.startsWith(`${from}/`));
  const from = froms.toSorted((a, b) => b.length - a.length)[0];
  return from === undefined ? null : moved.get(from)! + pointer.slice(from.length);
}

function createNamesOf(document: JsonObject) {
  const names = new Map<string, ReturnType<typeof createComponentNames>>();
  return (kind: string) => {
    const known = valueAt(document, `/components/${kind}`) ?? {};
    const own = names.get(kind) ?? createComponentNames(Object.keys(known));
    names.set(kind, own);
    return own;
  };
}

/** Puts `value` at a pointer, making the objects on the way. */
function setAt(document: JsonObject, pointer: string, value: Json): void {
  const tokens = splitPointer(pointer);
  let holder = document as Mutable;
  for (const token of tokens.slice(0, -1)) holder = (holder[token] ??= {}) as Mutable;
  holder[tokens.at(-1)!] = value;
}
