import { joinPointer, valueAt } from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import { isObject, type JsonObject } from '../../common/json/value.ts';

/** An object of the document and where it really stands, references followed. */
export interface Member {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The string at `object[key]`, or "". */
export function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

/** The object at `object[key]`, or null. */
export function objectOrNull(object: JsonObject, key: string): JsonObject | null {
  const value = object[key];
  return isObject(value) ? value : null;
}

/** The object at `pointer`, references followed; an empty one when there is none. */
export function followRef(document: JsonObject, pointer: string): Member {
  const found = resolvePointer(document, pointer);
  return { value: isObject(found?.value) ? found.value : {}, pointer: found?.pointer ?? pointer };
}

/** The objects of the list at `pointer`, references followed; none when there is no list. */
export function listRefs(document: JsonObject, pointer: string): readonly Member[] {
  const list = valueAt(document, pointer);
  if (!Array.isArray(list)) return [];
  return list.map((_, index) => followRef(document, joinPointer(pointer, index)));
}
