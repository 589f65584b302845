import {
  pointerOfFragment,
  referenceTo,
  splitPointer,
  valueAt,
} from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import type { Json, JsonObject } from '../../common/json/value.ts';
import { DocumentError, type Problem } from '../problem/problem.ts';
import type { Source } from '../source/source.ts';
import { dropAnchors, pointerIn } from './anchors.ts';
import { openUp } from './open-up.ts';
import { problemAt, type Places } from './places.ts';
import { readReferenced, type ReadUrl } from './referenced.ts';
import { findReferences } from './references.ts';
import { shareParts } from './share.ts';

export interface ExternalOptions {
  readonly source: Source;
  readonly read: ReadUrl;
  readonly places: Places;
  /** Put a schema that allows anything in the place of what cannot be read. */
  readonly allowUnresolved: boolean;
}

/** What became of the references of a document to other files. */
export interface External {
  /** Those that were given up, which `allowUnresolved` allows. */
  readonly unresolved: readonly Problem[];
  /** The reference as it was written, of an object whose `$ref` was changed. */
  readonly written: WeakMap<object, string>;
}

/** Where the files that a document refers to are kept in it while it is put together. */
const FILES = 'x-specgate-files';

type Mutable = Record<string, Json>;

/**
 * Takes the files that a document refers to into it, and makes all references lead there. What is no
 * schema then takes the place of the only reference to it, or becomes a component that all of them lead
 * to; what a component is nothing but a reference to takes its place. Changes `document`; `dropFiles` ends it.
 *
 * @throws DocumentError for every file that cannot be read or parsed, and every reference to what is
 *   no schema that leads nowhere
 */
export async function takeInFiles(
  document: JsonObject,
  { source, read, places, allowUnresolved }: ExternalOptions,
): Promise<External> {
  const referenced = await readReferenced({ root: source, document }, { read, places });
  const unresolved = referenced.unreachable.map(({ problem }) => problem);
  const { problems } = referenced;
  if (problems.length > 0 || (unresolved.length > 0 && !allowUnresolved)) {
    throw new DocumentError([...unresolved, ...problems]);
  }
  for (const { holder } of referenced.unreachable) openUp(holder);
  const written = addFiles(document, { root: source, sources: referenced.sources });
  putInPlace(document, { places, written });
  return { unresolved, written };
}

/**
 * Removes the files. Where something still refers to one, as only what is neither schema nor part of
 * OpenRPC does, it is given back what was written.
 */
export function dropFiles(document: JsonObject, written: WeakMap<object, string>): void {
  delete (document as Mutable)[FILES];
  for (const { reference, pointer } of findReferences(document)) {
    if (!reference.startsWith(`#/${FILES}/`)) continue;
    const holder = valueAt(document, pointer) as Mutable;
    holder['$ref'] = written.get(holder) ?? reference;
  }
}

function addFiles(
  document: JsonObject,
  { root, sources }: { readonly root: Source; readonly sources: ReadonlyMap<string, Source> },
): WeakMap<object, string> {
  const prefixes = new Map([...sources.keys()].map((url, index) => [url, `/${FILES}/${index}`]));
  prefixes.set(root.url, '');
  const written = new WeakMap<object, string>();
  const files: Mutable = {};
  for (const [index, [url, { value }]] of [...sources].entries()) {
    const isRoot = url === root.url;
    const own = isRoot ? document : value;
    if (!isRoot) files[index] = value;
    for (const { reference, pointer } of findReferences(own)) {
      const isLocal = reference.startsWith('#');
      const target = isLocal ? url : URL.parse(reference, url)?.href.replace(/#.*$/, '');
      const prefix = prefixes.get(target ?? '');
      if (prefix === undefined || (isRoot && isLocal)) continue;
      const fragment = pointerIn(
        target === root.url ? document : sources.get(target!)!.value,
        reference,
      );
      if (fragment === null) continue;
      const holder = valueAt(own, pointer) as Mutable;
      written.set(holder, reference);
      holder['$ref'] = referenceTo(prefix + fragment);
    }
  }
  for (const file of Object.values(files)) dropAnchors(file);
  (document as Mutable)[FILES] = files;
  return written;
}

interface Putting {
  readonly places: Places;
  readonly written: WeakMap<object, string>;
}

function putInPlace(document: JsonObject, { places, written }: Putting): void {
  const settled = new Map<object, string[]>();
  const stuck = new Map<object, Problem>();

  function settle(pointer: string, reference: string): void {
    const target = resolvePointer(document, pointerOfFragment(reference)!)?.value;
    const holder = valueAt(document, pointer) as JsonObject;
    if (typeof target !== 'object' || target === null) {
      const what = `the reference "${written.get(holder)}" leads nowhere`;
      const mend = 'correct the $ref, or add what it names';
      stuck.set(holder, problemAt(places.find(document, pointer)!, { what, mend }));
      return;
    }
    const known = settled.get(target) ?? [];
    const [first] = known;
    settled.set(target, [...known, pointer]);
    replaceAt(document, pointer, first === undefined ? target : { $ref: referenceTo(first) });
  }

  // Component schemas first: whoever else refers to the same file then refers to the component.
  for (const isWanted of [isComponentSchema, isNoSchema]) {
    let isSettled = false;
    while (!isSettled) {
      isSettled = true;
      for (const { reference, pointer } of findReferences(document)) {
        if (!reference.startsWith(`#/${FILES}/`) || !isWanted(pointer)) continue;
        if (stuck.has(valueAt(document, pointer) as object)) continue;
        settle(pointer, reference);
        isSettled = false;
      }
    }
  }
  if (stuck.size > 0) throw new DocumentError([...stuck.values()]);
  const shared = [...settled].map(([target, pointers]) => ({ target, pointers }));
  shareParts(document, shared, places);
}

function replaceAt(document: JsonObject, pointer: string, value: Json): void {
  const cut = pointer.lastIndexOf('/');
  const holder = valueAt(document, pointer.slice(0, cut)) as Mutable;
  holder[splitPointer(pointer.slice(cut))[0]!] = value;
}

function isComponentSchema(pointer: string): boolean {
  return /^\/components\/schemas\/[^/]+$/.test(pointer);
}

/** True for a place where something else than a JSON schema stands, or a component schema. */
function isNoSchema(pointer: string): boolean {
  return !(
    /^\/components\/schemas\/[^/]+\//.test(pointer) ||
    /^\/components\/contentDescriptors\/[^/]+\/schema(?:\/|$)/.test(pointer) ||
    /^\/methods\/\d+\/(?:params\/\d+|result)\/schema(?:\/|$)/.test(pointer) ||
    /^\/x-errors\/\d+\/data(?:\/|$)/.test(pointer)
  );
}
