import { type Diagnostic, unusable } from '../../common/diagnostic.ts';
import { joinPointer, memberOf, splitPointer, walkJson } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';
import type { Source } from '../source/source.ts';

/** A part of a document as it was read. */
export interface Place {
  readonly source: Source;
  readonly pointer: string;
}

/** Records the origin of every object and array, so that they can be moved. */
export class Places {
  readonly #places = new WeakMap<object, Place>();

  /** Records `root` and everything in it as the contents of `source`. */
  add(root: Json, source: Source): void {
    for (const [value, pointer] of walkJson(root)) {
      if (typeof value === 'object' && value !== null) this.#places.set(value, { source, pointer });
    }
  }

  /** Returns the origin of an object or array, or null if it was not recorded. */
  of(value: unknown): Place | null {
    return this.#places.get(value as object) ?? null;
  }

  /** Returns the origin of the part of `document` at `pointer`, or null if it is unknown. */
  find(document: Json, pointer: string): Place | null {
    let value: Json | undefined = document;
    let place = this.of(value);
    for (const token of splitPointer(pointer)) {
      value = memberOf(value, token);
      const below = place && { ...place, pointer: joinPointer(place.pointer, token) };
      place = this.of(value) ?? below;
    }
    return place;
  }
}

/** Returns a diagnostic that makes the document unusable, located at a place. */
export function diagnosticAt(
  { source, pointer }: Place,
  says: Pick<Diagnostic, 'message' | 'fix'>,
): Diagnostic {
  return unusable({ file: source.name, ...source.positionOf(pointer), pointer }, says);
}
