import { type Diagnostic, unusable } from '../../common/diagnostic.ts';
import { joinPointer, memberOf, splitPointer } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';
import type { Source } from '../source/source.ts';

/** A part of a document as it was read. */
export interface Place {
  readonly source: Source;
  readonly pointer: string;
}

/** Remembers where every object and array came from, however they are moved about since. */
export interface Places {
  /** Notes `value` and everything in it as the contents of `source`. */
  add(value: Json, source: Source): void;
  /** Where an object or array came from; null when it was never noted. */
  of(value: object): Place | null;
  /** Where the part of `document` at `pointer` came from; null when nothing of it is known. */
  find(document: Json, pointer: string): Place | null;
}

export function createPlaces(): Places {
  const places = new WeakMap<object, Place>();

  return {
    add(root, source) {
      const ahead: [Json, string][] = [[root, '']];
      for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
        const [value, pointer] = next;
        if (typeof value !== 'object' || value === null) continue;
        places.set(value, { source, pointer });
        for (const [key, member] of Object.entries(value)) {
          ahead.push([member as Json, joinPointer(pointer, key)]);
        }
      }
    },
    of: (value) => places.get(value) ?? null,
    find(document, pointer) {
      let value: Json | undefined = document;
      let place = placeOf(value);
      for (const token of splitPointer(pointer)) {
        value = memberOf(value, token);
        const below = place && { ...place, pointer: joinPointer(place.pointer, token) };
        place = placeOf(value) ?? below;
      }
      return place;
    },
  };

  function placeOf(value: Json | undefined): Place | null {
    return typeof value === 'object' && value !== null ? (places.get(value) ?? null) : null;
  }
}

/** Returns a diagnostic that makes the document unusable at a place. */
export function diagnosticAt(place: Place, says: Pick<Diagnostic, 'message' | 'fix'>): Diagnostic {
  const { source, pointer } = place;
  return unusable({ file: source.name, ...source.positionOf(pointer), pointer }, says);
}
