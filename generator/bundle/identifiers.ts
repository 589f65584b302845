import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { pointerOfFragment, referenceTo, splitPointer } from '../../common/json/pointer.ts';
import { documentSchemas } from '../schema/document-schemas.ts';
import { walkSchemas, type SchemaPlace } from '../schema/subschemas.ts';

/**
 * Turns references by identifier into references by pointer, within the document: to a schema's
 * `$id`, to a place in it, to an anchor (`$anchor`, or `$id` that is only a fragment). Within a
 * schema that has an `$id`, a pointer starts at that schema if it leads somewhere there (JSON Schema
 * draft-07, 8.2), and otherwise, as most documents mean it, at the document. Changes `document`.
 */
export function resolveIdentifiers(document: JsonObject): void {
  const identified = [...documentSchemas(document)].flatMap((root) => listIdentified(root));
  if (identified.length === 0) return;
  const byId = new Map(identified.map(({ id, place }) => [id, place]));
  for (const root of documentSchemas(document)) {
    for (const { schema, pointer } of walkSchemas([root])) {
      if (!isObject(schema) || typeof schema['$ref'] !== 'string') continue;
      const target = findTarget(schema['$ref'], pointer, byId);
      if (target !== null) (schema as Record<string, Json>)['$ref'] = referenceTo(target);
    }
  }
}

interface Identified {
  readonly id: string;
  readonly place: SchemaPlace;
}

function listIdentified(root: SchemaPlace): readonly Identified[] {
  return [...walkSchemas([root])].flatMap((place) => {
    if (!isObject(place.schema)) return [];
    const { $id, $anchor } = place.schema;
    const ids = [
      ...(typeof $id === 'string' ? [$id.replace(/#$/, '')] : []),
      ...(typeof $anchor === 'string' ? [`#${$anchor}`] : []),
    ];
    return ids.filter((id) => id !== '').map((id) => ({ id, place }));
  });
}

function findTarget(
  reference: string,
  from: string,
  byId: ReadonlyMap<string, SchemaPlace>,
): string | null {
  const exact = byId.get(reference.replace(/#$/, ''));
  if (exact !== undefined) return exact.pointer;
  const fragment = pointerOfFragment(reference);
  const uri = reference.replace(/#.*$/, '');
  const base = uri === '' ? enclosing(from, byId) : byId.get(uri);
  if (base === undefined || fragment === null) return null;
  return uri !== '' || leadsSomewhere(base, fragment) ? base.pointer + fragment : null;
}

/** The nearest schema with an `$id` of its own that the place is in. */
function enclosing(
  pointer: string,
  byId: ReadonlyMap<string, SchemaPlace>,
): SchemaPlace | undefined {
  return [...byId]
    .filter(([id, place]) => !id.startsWith('#') && `${pointer}/`.startsWith(`${place.pointer}/`))
    .map(([, place]) => place)
    .toSorted((a, b) => b.pointer.length - a.pointer.length)[0];
}

function leadsSomewhere(base: SchemaPlace, fragment: string): boolean {
  const tokens = fragment.startsWith('/') ? splitPointer(fragment) : [];
  let value: Json | undefined = base.schema;
  for (const key of tokens) {
    value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value !== undefined && tokens.length > 0;
}
