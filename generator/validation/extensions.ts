import { type PointerDiagnostic } from '../../common/diagnostic.ts';
import { isExtension } from '../bundle/references.ts';
import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { listAt, objectAt } from '../schema/document-schemas.ts';
import { stringsAt } from '../model/member.ts';
import { createCheck } from '../violations/create-ajv.ts';
import { documentMembers } from './document-members.ts';
import { toDiagnostic } from './to-diagnostic.ts';
import { componentParts, definitionParts } from './extension-schema.ts';
import { kindOf } from './object-kind.ts';

/** Maximum number of diagnostics reported per value. */
const MAX_FINDINGS = 100;

type Check = (value: Json) => readonly PointerDiagnostic[];

/**
 * Finds extensions of a bundled document that do not match the schema in their `x-extensions` entry or
 * are on another kind of object than the entry allows. Undeclared `x-` keys are ignored.
 */
export function findBadExtensions(document: JsonObject): readonly PointerDiagnostic[] {
  const diagnostics: PointerDiagnostic[] = [];
  const checks = new Map<string, Check>();
  const restrictions = new Map<string, readonly string[]>();
  for (const [index, extension] of listAt(document, 'x-extensions').entries()) {
    const { name, schema } = extension;
    if (typeof name !== 'string' || (!isObject(schema) && typeof schema !== 'boolean')) continue;
    restrictions.set(name, stringsAt(extension, 'restricted'));
    try {
      checks.set(name, compileCheck(name, schema, document));
    } catch (error) {
      const message = `the schema of ${name} cannot be used: ${(error as Error).message}`;
      const pointer = joinPointer(joinPointer('/x-extensions', index), 'schema');
      diagnostics.push({ message, fix: 'correct it', pointer });
    }
  }
  for (const { key, value, pointer } of findExtensions(document)) {
    const found = checks.get(key)?.(value) ?? [];
    diagnostics.push(...found.map((each) => ({ ...each, pointer: pointer + each.pointer })));
    diagnostics.push(...findMisplaced(key, pointer, restrictions.get(key) ?? []));
  }
  return diagnostics;
}

// An entry without `restricted` allows its extension on any object.
function findMisplaced(
  name: string,
  pointer: string,
  restricted: readonly string[],
): readonly PointerDiagnostic[] {
  const kind = kindOf(pointer.slice(0, pointer.lastIndexOf('/')));
  if (restricted.length === 0 || kind === null || restricted.includes(kind)) return [];
  const message = `${name} is not allowed on ${kind}, only on ${restricted.join(' or ')}`;
  return [{ message, fix: 'move it, or widen "restricted" in x-extensions', pointer }];
}

function compileCheck(name: string, schema: Schema, document: JsonObject): Check {
  const id = `extension-${name}`;
  const parts = [
    ...componentParts(objectAt(objectAt(document, 'components'), 'schemas'), schema),
    ...definitionParts(schema, id, { hasComponents: true }),
  ];
  const check = createCheck(parts, id, { maxFindings: MAX_FINDINGS });
  return (value) => check(value).map(toDiagnostic);
}

interface Extension {
  readonly key: string;
  readonly value: Json;
  readonly pointer: string;
}

/** Yields every extension of the document's objects, not those within data. */
export function* findExtensions(document: JsonObject): Generator<Extension> {
  for (const { key, value, pointer } of documentMembers(document)) {
    if (!key.startsWith('x-') || pointer === '/x-extensions') continue;
    if (isExtension(splitPointer(pointer))) yield { key, value, pointer };
  }
}
