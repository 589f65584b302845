import { DocumentError } from '../../common/diagnostic.ts';
import { cloneExact } from '../../common/json/exact.ts';
import { referenceTo, splitPointer, walkJson } from '../../common/json/pointer.ts';
import { referenceOf } from '../../common/json/reference.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { MAX_DEPTH, TOO_DEEP } from '../source/problems.ts';
import { diagnosticAt, type Places } from './places.ts';
import { isData, type HeldReference, type Mutable } from './references.ts';
import { setAt } from './share.ts';

/**
 * Parts of files that were put in the document. Each object occurs in it once: at two places, it
 * would be written twice, and a nested part that refers to its outer part would contain itself.
 */
export class PlacedParts {
  readonly #document: JsonObject;
  readonly #places: Places;
  readonly #uses = new Map<object, string[]>();

  constructor(document: JsonObject, places: Places) {
    this.#document = document;
    this.#places = places;
  }

  /** The pointers to each object: its place, then the references to it. */
  get uses(): ReadonlyMap<object, readonly string[]> {
    return this.#uses;
  }

  /**
   * Records that an object is at a place or, if it already has one, that it is referred to from
   * there.
   */
  add(part: object, pointer: string): void {
    const uses = this.#uses.get(part);
    if (uses === undefined) this.#uses.set(part, [pointer]);
    else uses.push(pointer);
  }

  /** Returns the pointer to the place of an object, or null. */
  find(part: unknown): string | null {
    return this.#uses.get(part as object)?.[0] ?? null;
  }

  /**
   * Puts a part of a file at `pointer`. Objects in it that already have a place become references.
   *
   * @returns the references in it
   * @throws DocumentError for objects that are nested too deeply there
   */
  put(part: Json, pointer: string): readonly HeldReference[] {
    const references: HeldReference[] = [];
    const refuseDeep = (value: Json, at: string): void => {
      const isContainer = typeof value === 'object' && value !== null;
      if (isContainer && splitPointer(at).length >= MAX_DEPTH) this.#refuse(pointer);
    };
    const skips = (holder: Json, key: string, at: string): boolean => {
      const member = (holder as Mutable)[key]!;
      const known = this.find(member);
      if (typeof member !== 'object') return true;
      // A part of data may be referred to as well, and would then be in two places.
      if (isData(holder, key, at)) {
        for (const [value, deep] of walkJson(member, undefined, at)) refuseDeep(value, deep);
        (holder as Mutable)[key] = cloneExact(member);
      } else if (known === null) return false;
      else {
        this.add(member as object, at);
        (holder as Mutable)[key] = { $ref: referenceTo(known) };
      }
      return true;
    };
    for (const [value, at] of walkJson(part, skips, pointer)) {
      refuseDeep(value, at);
      if (!isObject(value)) continue;
      this.add(value, at);
      const reference = referenceOf(value);
      if (reference !== null) references.push({ reference, holder: value, pointer: at });
    }
    setAt(this.#document, pointer, part);
    return references;
  }

  #refuse(pointer: string): never {
    const place = this.#places.find(this.#document, pointer)!;
    const message = `the target of the reference is ${TOO_DEEP.message} in the bundle`;
    throw new DocumentError([diagnosticAt(place, { ...TOO_DEEP, message })]);
  }
}
