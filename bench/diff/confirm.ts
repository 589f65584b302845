import { splitPointer } from '../../common/json/pointer.ts';
import type { ClassifiedChange } from '../../generator/diff/classify.ts';
import type { PlainDocument } from './corpus.ts';
import type { Components, Schema } from './instances/instances.ts';
import { compile } from './instances/search.ts';
import type { PlainSchema } from './schema-mutations.ts';

/**
 * Returns whether Ajv confirms the value that the differ gives: the schemas of the place it names, or of
 * one around it, disagree on the value. Null if Ajv cannot decide, because a schema is a variant of itself.
 */
export function isConfirmed(
  { kind, witness, old, new: fresh }: ClassifiedChange,
  documents: readonly [old: PlainDocument, fresh: PlainDocument],
): boolean | null {
  if (witness === undefined || old === null || fresh === null) return false;
  const sides = documents.map((document, index) => ({
    components: componentsOf(document),
    schemas: schemasAround(document, index === 0 ? old : fresh),
  }));
  const [inner, outer] = kind.startsWith('request-') ? sides : sides.toReversed();
  const verdicts = (side: (typeof sides)[number]) =>
    side.schemas.map((schema) => isValid(schema, side.components, witness));
  const [isIn, isOut] = [verdicts(inner!), verdicts(outer!)];
  if (isIn.includes(true) && isOut.includes(false)) return true;
  return [...isIn, ...isOut].includes(null) ? null : false;
}

/** Returns undefined for a value that is not a schema, such as a map of schemas. */
function isValid(schema: Schema, components: Components, value: unknown) {
  try {
    return compile(schema, components)(value);
  } catch {
    return undefined;
  }
}

function schemasAround(document: PlainDocument, pointer: string): readonly Schema[] {
  const tokens = splitPointer(pointer);
  const values: unknown[] = [document];
  for (const token of tokens) values.push((values.at(-1) as PlainSchema | undefined)?.[token]);
  const isSchema = (value: unknown): value is PlainSchema =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return values.slice(-3).filter(isSchema);
}

export function componentsOf(document: PlainDocument): Components {
  const { schemas = {} } = (document['components'] ?? {}) as { schemas?: Components };
  return schemas;
}
