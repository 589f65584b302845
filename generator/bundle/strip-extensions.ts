import { splitPointer, walkJson } from '../../common/json/pointer.ts';
import { isObject, type JsonObject } from '../../common/json/value.ts';
import { documentSchemas } from '../schema/document-schemas.ts';
import { walkSchemas } from '../schema/subschemas.ts';
import { isExtension, isLiteral, type Mutable } from './references.ts';

/**
 * Removes every extension (`x-…`) from the objects and schemas of a bundled document. Members of data and
 * names, such as a property or a component called `x-…`, are kept. Changes `document`.
 */
export function stripExtensions(document: JsonObject): void {
  dropExtensions(document);
  const roots = [...documentSchemas(document)];
  for (const { schema } of walkSchemas(roots)) if (isObject(schema)) dropExtensions(schema);
  // Names of properties are arbitrary, so extensions of schemas are recognized only by a walk that
  // follows the keywords.
  const schemas = new Set(roots.map(({ pointer }) => pointer));
  const isOfOther = (pointer: string) => schemas.has(pointer) || isLiteral(splitPointer(pointer));
  for (const [holder, pointer] of walkJson(document, (_holder, _key, at) => isOfOther(at))) {
    const tokens = splitPointer(pointer);
    if (isObject(holder)) dropExtensions(holder, (key) => isExtension([...tokens, key]));
  }
}

function dropExtensions(holder: JsonObject, isDropped = (_key: string) => true): void {
  for (const key of Object.keys(holder)) {
    if (key.startsWith('x-') && isDropped(key)) delete (holder as Mutable)[key];
  }
}
