import { type Diagnostic, DocumentError } from '../../common/diagnostic.ts';
import {
  pointerOfFragment,
  referenceTo,
  splitPointer,
  valueAt,
} from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import { isSchema, type Json, type JsonObject } from '../../common/json/value.ts';
import type { Source } from '../source/source.ts';
import { dropAnchors, objectsOf, pointerIn } from './anchors.ts';
import { openUp } from './open-up.ts';
import { diagnosticAt, type Places } from './places.ts';
import { readReferenced, type ReadUrl, type Unreachable } from './referenced.ts';
import { findReferences } from './references.ts';
import { shareParts } from './share.ts';

export interface ExternalOptions {
  readonly source: Source;
  readonly read: ReadUrl;
  readonly places: Places;
  /** Put a schema that allows anything in the place of a schema that cannot be read. */
  readonly allowUnresolved: boolean;
  /** Follow references to any origin; see `BundleOptions`. */
  readonly allowRemote: boolean;
}

/** What became of the references of a document to other files. */
export interface External {
  /** Those that were given up, which `allowUnresolved` allows; where no schema stands, left as written. */
  readonly unresolved: readonly Unreachable[];
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
 *   not a schema that leads nowhere
 */
export async function takeInFiles(
  document: JsonObject,
  { source, read, places, allowUnresolved, allowRemote }: ExternalOptions,
): Promise<External> {
  const { sources, unreachable, diagnostics } = await readReferenced(
    { root: source, document },
    { read, places, allowRemote },
  );
  const written = addFiles(document, { root: source, sources });
  const stuck = putInPlace(document, { places, written });
  const unresolved = openSchemas(document, { unreachable, allowUnresolved });
  const blocking = [...diagnostics, ...stuck];
  if (blocking.length > 0 || (unresolved.length > 0 && !allowUnresolved)) {
    throw new DocumentError([...unresolved, ...blocking]);
  }
  return { unresolved, written };
}

interface Opening {
  readonly unreachable: readonly Unreachable[];
  readonly allowUnresolved: boolean;
}

/** Makes unreachable schemas allow anything; what is not a schema cannot be left open. */
function openSchemas(document: JsonObject, { unreachable, allowUnresolved }: Opening) {
  const needed = new Set<unknown>(
    [...findReferences(document)]
      .filter(({ pointer }) => isOutsideSchemas(pointer) && !isComponentSchema(pointer))
      .map(({ pointer }) => valueAt(document, pointer)),
  );
  return unreachable.map((each): Unreachable => {
    const { holder, fix } = each;
    if (needed.has(holder)) return each;
    openUp(holder);
    if (allowUnresolved) return each;
    return { ...each, fix: `${fix}, or go on without it (--allow-unresolved)` };
  });
}

/**
 * Removes the files. What still refers to one stands under a keyword that neither OpenRPC nor draft-07
 * knows: it then refers to where its target stands now, or the target takes its place. Where there is
 * no target, the reference is again as it was written.
 */
export function dropFiles(document: JsonObject, written: WeakMap<object, string>): void {
  const dead = new Set<JsonObject>();
  // Every pass puts at least one object of a file into the document, or is the last one.
  for (let isSettled = false; !isSettled;) {
    isSettled = true;
    const left = [...findReferences(document)].filter(({ reference, pointer }) => {
      return isOfFile(reference) && !dead.has(valueAt(document, pointer) as JsonObject);
    });
    if (left.length === 0) break;
    const standing = new Map<unknown, string>();
    for (const { holder, at } of objectsOf(document)) standing.set(holder, at);
    for (const { reference, pointer } of left) {
      const holder = valueAt(document, pointer) as JsonObject;
      const target = resolvePointer(document, pointerOfFragment(reference)!)?.value;
      const known = standing.get(target);
      if (!isSchema(target)) dead.add(holder);
      else if (known === undefined) replaceAt(document, pointer, target);
      else (holder as Mutable)['$ref'] = referenceTo(known);
      standing.set(target, known ?? pointer);
      isSettled = false;
    }
  }
  for (const holder of dead) (holder as Mutable)['$ref'] = written.get(holder)!;
  delete (document as Mutable)[FILES];
}

function isOfFile(reference: string): boolean {
  return reference.startsWith(`#/${FILES}/`);
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

/** Returns a problem for every reference that leads nowhere. */
function putInPlace(document: JsonObject, { places, written }: Putting): readonly Diagnostic[] {
  const settled = new Map<object, string[]>();
  const stuck = new Map<object, Diagnostic>();

  function settle(pointer: string, reference: string): void {
    const target = resolvePointer(document, pointerOfFragment(reference)!)?.value;
    const holder = valueAt(document, pointer) as JsonObject;
    if (typeof target !== 'object' || target === null) {
      const message = `the reference "${written.get(holder)}" does not resolve`;
      const fix = 'correct the $ref, or add what it names';
      stuck.set(holder, diagnosticAt(places.find(document, pointer)!, { message, fix }));
      return;
    }
    const known = settled.get(target) ?? [];
    const [first] = known;
    settled.set(target, [...known, pointer]);
    replaceAt(document, pointer, first === undefined ? target : { $ref: referenceTo(first) });
  }

  // Component schemas first: other references to the same file then refer to the component.
  for (const isWanted of [isComponentSchema, isOutsideSchemas]) {
    let isSettled = false;
    while (!isSettled) {
      isSettled = true;
      for (const { reference, pointer } of findReferences(document)) {
        if (!isOfFile(reference) || !isWanted(pointer)) continue;
        if (stuck.has(valueAt(document, pointer) as object)) continue;
        settle(pointer, reference);
        isSettled = false;
      }
    }
  }
  const shared = [...settled].map(([target, pointers]) => ({ target, pointers }));
  shareParts(document, shared, places);
  return [...stuck.values()];
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
function isOutsideSchemas(pointer: string): boolean {
  return !(
    /^\/components\/schemas\/[^/]+\//.test(pointer) ||
    /^\/components\/contentDescriptors\/[^/]+\/schema(?:\/|$)/.test(pointer) ||
    /^\/methods\/\d+\/(?:params\/\d+|result)\/schema(?:\/|$)/.test(pointer) ||
    /^\/x-errors\/\d+\/data(?:\/|$)/.test(pointer)
  );
}
