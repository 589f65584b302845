import { type PointerDiagnostic } from '../../common/diagnostic.ts';
import { isLiteral } from '../bundle/references.ts';
import { joinPointer, splitPointer } from '../../common/json/pointer.ts';
import { isObject, type Json, type JsonObject, type Schema } from '../../common/json/value.ts';
import { listAt, objectAt } from '../schema/document-schemas.ts';
import { createAjv } from '../violations/create-ajv.ts';
import { factsOf } from '../violations/facts.ts';
import {
  findingsOf,
  type CompiledValidator,
  type Facts,
} from '../../common/validators-runtime/violations.js';
import { toDiagnostic } from './to-diagnostic.ts';
import { componentParts, definitionParts } from './extension-schema.ts';
import { kindOf } from './object-kind.ts';

/** Diagnostics reported per value. */
const MAX_FINDINGS = 100;

interface Check {
  (value: Json): readonly PointerDiagnostic[];
}

/**
 * Every value of an extension that breaks the schema its `x-extensions` entry gives, wherever in the
 * document it stands, and every one that stands on another kind of object than the entry says. Keys starting with `x-` that no entry declares are free. Wants a bundled
 * document.
 */
export function findBadExtensions(document: JsonObject): readonly PointerDiagnostic[] {
  const diagnostics: PointerDiagnostic[] = [];
  const checks = new Map<string, Check>();
  const restrictions = new Map<string, readonly string[]>();
  for (const [index, extension] of listAt(document, 'x-extensions').entries()) {
    const { name, schema, restricted } = extension;
    if (typeof name !== 'string' || (!isObject(schema) && typeof schema !== 'boolean')) continue;
    restrictions.set(name, Array.isArray(restricted) ? restricted.map(String) : []);
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

// An entry that names no objects leaves its extension free to stand anywhere.
function findMisplaced(
  name: string,
  pointer: string,
  restricted: readonly string[],
): readonly PointerDiagnostic[] {
  const kind = kindOf(pointer.slice(0, pointer.lastIndexOf('/')));
  if (restricted.length === 0 || kind === null || restricted.includes(kind)) return [];
  const message = `${name} does not belong to ${kind}, but to ${restricted.join(' or ')}`;
  return [{ message, fix: 'move it, or widen "restricted" in x-extensions', pointer }];
}

function compileCheck(name: string, schema: Schema, document: JsonObject): Check {
  const id = `extension-${name}`;
  const parts = [
    ...componentParts(objectAt(objectAt(document, 'components'), 'schemas'), schema),
    ...definitionParts(schema, id),
  ];
  const check = createAjv(parts).getSchema(id) as CompiledValidator;
  const facts = parts.flatMap((part) => [...factsOf(part.schema, `${part.id}#`)]);
  return (value) => {
    if (check(value)) return [];
    const findings = findingsOf(check.errors ?? [], {
      facts: Object.fromEntries(facts) as Facts,
      value,
      most: MAX_FINDINGS,
    });
    return findings.map(toDiagnostic);
  };
}

interface Extension {
  readonly key: string;
  readonly value: Json;
  readonly pointer: string;
}

/** Every `x-` member of the document's own objects: not of data, and not names of other things. */
export function* findExtensions(document: JsonObject): Generator<Extension> {
  const ahead: [Json, string][] = [[document, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, pointer] = next;
    if (typeof value !== 'object' || value === null) continue;
    const tokens = splitPointer(pointer);
    for (const [key, member] of Object.entries(value).toReversed()) {
      const at = joinPointer(pointer, key);
      if (tokens.length === 0 && key === 'x-extensions') continue;
      if (isExtension([...tokens, key])) yield { key, value: member as Json, pointer: at };
      if (!isLiteral([...tokens, key])) ahead.push([member as Json, at]);
    }
  }
}

// What looks like an extension but is not data is a name: of a property, a schema, an error.
function isExtension(tokens: readonly string[]): boolean {
  if (!tokens.at(-1)!.startsWith('x-')) return false;
  return isLiteral(tokens) || (tokens.length === 1 && tokens[0] === 'x-errors');
}
