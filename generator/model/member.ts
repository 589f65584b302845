import { joinPointer, valueAt } from '../../common/json/pointer.ts';
import { resolvePointer } from '../../common/json/reference.ts';
import { isObject, type JsonObject } from '../../common/json/value.ts';
import type { Described } from './model.ts';

/** An object of the document and its pointer, references followed. */
export interface Member {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** Returns the string at `object[key]`, or "". */
export function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

/** Returns the number at `object[key]`, or null. */
export function numberAt(object: JsonObject, key: string): number | null {
  const value = object[key];
  return typeof value === 'number' ? value : null;
}

/** Returns the strings of the list at `object[key]`, or an empty list. */
export function stringsAt(object: JsonObject, key: string): readonly string[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** Returns the object at `object[key]`, or null. */
export function objectOrNull(object: JsonObject, key: string): JsonObject | null {
  const value = object[key];
  return isObject(value) ? value : null;
}

export function describedAt(object: JsonObject): Described {
  return {
    name: textAt(object, 'name'),
    summary: textAt(object, 'summary'),
    description: textAt(object, 'description'),
  };
}

/** Returns the object at `pointer`, references followed, or an empty object. */
export function followRef(document: JsonObject, pointer: string): Member {
  const found = resolvePointer(document, pointer);
  return { value: isObject(found?.value) ? found.value : {}, pointer: found?.pointer ?? pointer };
}

/** Returns the objects of the list at `pointer`, references followed. */
export function listRefs(document: JsonObject, pointer: string): readonly Member[] {
  const list = valueAt(document, pointer);
  if (!Array.isArray(list)) return [];
  return list.map((_, index) => followRef(document, joinPointer(pointer, index)));
}
