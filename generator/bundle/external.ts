import type { Diagnostic } from '../../common/diagnostic.ts';
import { pointerOfFragment, referenceTo } from '../../common/json/pointer.ts';
import { DEAD_END, resolvePointer } from '../../common/json/reference.ts';
import { isObject, isSchema, type JsonObject } from '../../common/json/value.ts';
import { SCHEMA_ROOT } from '../schema/document-schemas.ts';
import type { Source } from '../source/source.ts';
import { PlacedParts } from './placed-parts.ts';
import { diagnosticAt, type Places } from './places.ts';
import { readReferenced, type ReferencedOptions, type Unreachable } from './referenced.ts';
import {
  dropAnchors,
  findReferences,
  namesIn,
  objectsOf,
  type Mutable,
  type HeldReference,
} from './references.ts';
import { setAt, shareParts } from './share.ts';

/** Member that holds the referenced files while the document is bundled. */
export const FILES = 'x-specgate-files';

interface Files {
  /** Unresolved references. */
  readonly unresolved: readonly Unreachable[];
  /** Errors in the files. */
  readonly diagnostics: readonly Diagnostic[];
  /** The original text of each changed `$ref`, by its object. */
  readonly written: WeakMap<object, string>;
}

/**
 * Adds the files that a document refers to, and makes all references point there. A target that is not a
 * schema then replaces the only reference to it, or becomes a component that all references point to. A
 * component that is only a reference is replaced with its target. Changes `document`; call `dropFiles`
 * afterwards.
 *
 * @throws DocumentError if a limit is exceeded
 */
export async function takeInFiles(
  document: JsonObject,
  options: ReferencedOptions,
): Promise<Files> {
  const { root, places } = options;
  const { sources, unreachable, diagnostics } = await readReferenced(document, options);
  const written = addFiles(document, { root, sources });
  const stuck = putInPlace(document, { places, written });
  return { unresolved: [...openSchemas(document, unreachable), ...stuck], diagnostics, written };
}

/** Makes unreachable schemas allow any value; references to other parts are kept. */
function openSchemas(document: JsonObject, unreachable: readonly Unreachable[]) {
  const required = new Set(
    [...findReferences(document)]
      .filter(({ pointer }) => isOutsideSchemas(pointer) && !isComponentSchema(pointer))
      .map(({ holder }) => holder),
  );
  return unreachable.map((each): Unreachable => {
    const { holder } = each;
    if (required.has(holder)) return each;
    delete (holder as Mutable)['$ref'];
    return { ...each, isOpened: true };
  });
}

/**
 * Removes the files. The remaining references to them are in keywords unknown to OpenRPC and draft-07:
 * each is changed to point to the new place of its target, or is replaced with the target. References
 * that do not resolve get their original text back.
 *
 * @throws DocumentError for a target that is nested too deeply at its new place
 */
export function dropFiles(
  document: JsonObject,
  { places, written }: { readonly places: Places; readonly written: WeakMap<object, string> },
): void {
  const dead = new Set<JsonObject>();
  const parts = new PlacedParts(document, places);
  for (const [part, pointer] of objectsOf(document)) parts.add(part, pointer);
  const ahead = [...findReferences(document)].filter(isOfFile);
  // The loop also visits the references in the targets that it inserts.
  for (const { reference, holder, pointer } of ahead) {
    const target = resolvePointer(document, pointerOfFragment(reference)!)?.value;
    const known = parts.find(target);
    if (known !== null) (holder as Mutable)['$ref'] = referenceTo(known);
    else if (!isSchema(target)) dead.add(holder);
    else for (const each of parts.put(target, pointer)) if (isOfFile(each)) ahead.push(each);
  }
  for (const holder of dead) (holder as Mutable)['$ref'] = written.get(holder)!;
  delete (document as Mutable)[FILES];
}

function isOfFile({ reference }: HeldReference): boolean {
  return reference.startsWith(`#/${FILES}/`);
}

function addFiles(
  document: JsonObject,
  { root, sources }: { readonly root: Source; readonly sources: ReadonlyMap<string, Source> },
): WeakMap<object, string> {
  const prefixes = new Map([...sources.keys()].map((url, index) => [url, `/${FILES}/${index}`]));
  prefixes.set(root.url, '');
  const written = new WeakMap<object, string>();
  const names = new Map<string, ReadonlyMap<string, string>>();
  const files: Mutable = {};
  for (const [index, [url, { value }]] of [...sources].entries()) {
    const isRoot = url === root.url;
    if (!isRoot) files[index] = value;
    for (const { reference, holder } of findReferences(isRoot ? document : value)) {
      const isLocal = reference.startsWith('#');
      const target = isLocal ? url : (URL.parse(reference, url)?.href.replace(/#.*$/, '') ?? '');
      const prefix = prefixes.get(target);
      if (prefix === undefined || (isRoot && isLocal)) continue;
      let fragment = pointerOfFragment(reference);
      if (fragment === null) {
        const file = target === root.url ? document : sources.get(target)!.value;
        const known = names.get(target) ?? namesIn(file);
        names.set(target, known);
        fragment = known.get(reference.slice(reference.indexOf('#') + 1)) ?? null;
      }
      if (fragment === null) continue;
      written.set(holder, reference);
      (holder as Mutable)['$ref'] = referenceTo(prefix + fragment);
    }
  }
  for (const file of Object.values(files)) dropAnchors(file);
  // Nothing refers to these files by URL anymore, and pointers within them are pointers into the
  // document.
  for (const { value, isLocal } of sources.values()) {
    if (isLocal === true && isObject(value)) delete (value as Mutable)['$id'];
  }
  (document as Mutable)[FILES] = files;
  return written;
}

/**
 * Replaces references to files with their targets, or with references to where the targets already are.
 * Returns a diagnostic for every reference that does not resolve.
 */
function putInPlace(
  document: JsonObject,
  { places, written }: { readonly places: Places; readonly written: WeakMap<object, string> },
): readonly Unreachable[] {
  const parts = new PlacedParts(document, places);
  const stuck: Unreachable[] = [];

  /** Replaces one reference. Returns the references in the target if it was inserted. */
  function settle({ reference, holder, pointer }: HeldReference): readonly HeldReference[] {
    const target = resolvePointer(document, pointerOfFragment(reference)!)?.value;
    if (typeof target !== 'object' || target === null) {
      const message = `the reference "${written.get(holder)}" ${DEAD_END}`;
      const fix = 'correct the $ref, or add its target';
      const diagnostic = diagnosticAt(places.find(document, pointer)!, { message, fix });
      stuck.push({ ...diagnostic, holder, isOpened: false });
      return [];
    }
    const known = parts.find(target);
    if (known === null) return parts.put(target, pointer);
    parts.add(target, pointer);
    setAt(document, pointer, { $ref: referenceTo(known) });
    return [];
  }

  // Component schemas first: other references to the same file then refer to the component. Inner parts
  // before outer ones: the outer part then refers to the inner component.
  const components = [...findReferences(document)]
    .filter((each) => isOfFile(each) && isComponentSchema(each.pointer))
    .toSorted((a, b) => depthOf(b.reference) - depthOf(a.reference));
  for (const each of components) settle(each);
  const isWanted = (each: HeldReference) => isOfFile(each) && isOutsideSchemas(each.pointer);
  const ahead = [...findReferences(document)].filter(isWanted);
  // The loop also visits the references in the targets that it inserts.
  for (const next of ahead) for (const each of settle(next)) if (isWanted(each)) ahead.push(each);
  shareParts(document, parts.uses, places);
  return stuck;
}

function depthOf(reference: string): number {
  return reference.split('/').length;
}

function isComponentSchema(pointer: string): boolean {
  return /^\/components\/schemas\/[^/]+$/.test(pointer);
}

/** Checks whether a pointer leads to a component schema, or to a part that is not in a schema. */
function isOutsideSchemas(pointer: string): boolean {
  return isComponentSchema(pointer) || !SCHEMA_ROOT.test(pointer);
}
