import { pointerOfFragment, referenceTo, valueAt } from '../../common/json/pointer.ts';
import { isObject, type JsonObject } from '../../common/json/value.ts';
import { documentSchemas } from '../schema/document-schemas.ts';
import { walkSchemas, type SchemaPlace } from '../schema/subschemas.ts';
import type { Mutable } from './references.ts';

/**
 * Turns references by identifier into references by pointer, within the document: to a schema's `$id`, to
 * a place in that schema, or to an anchor (`$anchor`, or an `$id` that is only a fragment). Within a
 * schema with an `$id`, a pointer starts at that schema if it resolves there (JSON Schema draft-07, 8.2),
 * and otherwise, as most documents mean it, at the document. Changes `document`.
 */
export function resolveIdentifiers(document: JsonObject): void {
  const places = [...walkSchemas(documentSchemas(document))];
  const byId = new Map(
    places.flatMap((place) => idsOf(place).map((id): [string, SchemaPlace] => [id, place])),
  );
  if (byId.size === 0) return;
  const bases = new Map(
    [...byId].filter(([id]) => !id.startsWith('#')).map(([, place]) => [place.pointer, place]),
  );
  for (const { schema, pointer } of places) {
    if (!isObject(schema) || typeof schema['$ref'] !== 'string') continue;
    const target = findTarget(schema['$ref'], byId, () => enclosing(pointer, bases));
    if (target !== null) (schema as Mutable)['$ref'] = referenceTo(target);
  }
}

function idsOf({ schema }: SchemaPlace): readonly string[] {
  if (!isObject(schema)) return [];
  const { $id, $anchor } = schema;
  return [
    typeof $id === 'string' ? $id.replace(/#$/, '') : '',
    typeof $anchor === 'string' ? `#${$anchor}` : '',
  ].filter((id) => id !== '');
}

function findTarget(
  reference: string,
  byId: ReadonlyMap<string, SchemaPlace>,
  findBase: () => SchemaPlace | undefined,
): string | null {
  const exact = byId.get(reference.replace(/#$/, ''));
  if (exact !== undefined) return exact.pointer;
  const fragment = pointerOfFragment(reference);
  const uri = reference.replace(/#.*$/, '');
  const base = uri === '' ? findBase() : byId.get(uri);
  if (base === undefined || fragment === null) return null;
  const resolves = fragment !== '' && valueAt(base.schema, fragment) !== undefined;
  return uri !== '' || resolves ? base.pointer + fragment : null;
}

/** Returns the innermost of `bases`, schemas with an `$id` by pointer, that contains a place. */
function enclosing(
  pointer: string,
  bases: ReadonlyMap<string, SchemaPlace>,
): SchemaPlace | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const base = bases.get(at);
    if (base !== undefined) return base;
  }
  return undefined;
}
