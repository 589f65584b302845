import { type PointerDiagnostic } from '../../common/diagnostic.ts';
import { isPattern } from '../../common/json/pattern.ts';
import { joinPointer, valueAt } from '../../common/json/pointer.ts';
import { DEAD_END, referenceOf, resolvePointer } from '../../common/json/reference.ts';
import { isObject, isSchema, type Json, type JsonObject } from '../../common/json/value.ts';
import { findReferences } from '../bundle/references.ts';
import { listRefs, stringsAt, textAt } from '../model/member.ts';
import { documentSchemas, SCHEMA_ROOT } from '../schema/document-schemas.ts';
import { walkSchemas } from '../schema/subschemas.ts';
import { findBadExtensions } from './extensions.ts';
import { kindOf } from './object-kind.ts';
import { findUnsoundService } from './service-soundness.ts';

/**
 * Checks what generators rely on and the meta-schema cannot express: references resolve, names of methods
 * and parameters are unique and valid Unicode, patterns are regular expressions, and extensions match
 * their declarations.
 */
export function findUnsound(document: JsonObject): readonly PointerDiagnostic[] {
  return [
    ...findBadReferences(document),
    ...findDuplicates(document, { list: '/methods', noun: 'method' }),
    ...listRefs(document, '/methods').flatMap(({ pointer }) =>
      findDuplicates(document, { list: joinPointer(pointer, 'params'), noun: 'parameter' }),
    ),
    ...findBadPatterns(document),
    ...findHalfNames(document),
    ...findBadExtensions(document),
    ...findUnsoundService(document),
  ];
}

/** What a reference of each kind must lead to, and how to correct one that does not. */
const TARGETS: Readonly<Record<string, readonly [noun: string, fix: string]>> = {
  methodObject: ['a method', 'write the method there'],
  contentDescriptorObject: targetIn('a content descriptor', 'contentDescriptors'),
  tagObject: targetIn('a tag', 'tags'),
  errorObject: targetIn('an error', 'errors'),
  linkObject: targetIn('a link', 'links'),
  examplePairingObject: targetIn('an example pairing', 'examplePairings'),
  exampleObject: targetIn('an example', 'examples'),
};

function targetIn(noun: string, section: string): readonly [string, string] {
  return [noun, `put ${noun} into components.${section}, and refer to it there`];
}

/**
 * Finds references that do not resolve, and those outside of schemas that lead to something else, such as
 * a parameter to a schema, or to an extension, whose content nothing has validated.
 */
export function findBadReferences(document: JsonObject): readonly PointerDiagnostic[] {
  return [...findReferences(document)].flatMap(({ reference, pointer }): PointerDiagnostic[] => {
    const target = resolvePointer(document, pointer);
    if (!isSchema(target?.value)) {
      const message = `the reference "${reference}" ${DEAD_END}`;
      return [{ message, fix: 'correct the $ref, or add what it names', pointer }];
    }
    const kind = SCHEMA_ROOT.test(pointer) ? null : kindOf(pointer);
    const expected = kind === null ? undefined : TARGETS[kind];
    if (expected === undefined || kindOf(target!.pointer) === kind) return [];
    const [noun, fix] = expected;
    return [{ message: `the reference "${reference}" does not lead to ${noun}`, fix, pointer }];
  });
}

function findDuplicates(
  document: JsonObject,
  { list, noun }: { readonly list: string; readonly noun: string },
): readonly PointerDiagnostic[] {
  const names = listRefs(document, list).map(({ value }) => textAt(value, 'name'));
  const known = new Set<string>();
  return names.flatMap((name, index) => {
    if (!known.has(name)) {
      known.add(name);
      return [];
    }
    const pointer = joinPointer(list, index);
    const isReference = referenceOf(valueAt(document, pointer)) !== null;
    const message = `duplicate ${noun} "${name}"`;
    const fix = 'rename one of them';
    return [{ message, fix, pointer: isReference ? pointer : joinPointer(pointer, 'name') }];
  });
}

// Names become parts of URIs, which cannot contain half of a surrogate pair (RFC 3986).
function findHalfNames(document: JsonObject): readonly PointerDiagnostic[] {
  const found: PointerDiagnostic[] = [];
  const ahead: [Json, string][] = [[document, '']];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, pointer] = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      if (name.isWellFormed()) ahead.push([member as Json, joinPointer(pointer, name)]);
      else {
        const message = `the member name ${JSON.stringify(name)} ${HALF}`;
        found.push({ message, fix: 'write both halves, or rename the member', pointer });
      }
    }
  }
  return [...found, ...findHalfIn(document)];
}

const HALF = 'has half of a surrogate pair';

/** Finds half surrogate pairs in names that are values: of methods, parameters and required members. */
function findHalfIn(document: JsonObject): readonly PointerDiagnostic[] {
  const methods = listRefs(document, '/methods');
  const params = methods.flatMap(({ pointer }) =>
    listRefs(document, joinPointer(pointer, 'params')),
  );
  const named = [...methods, ...params].map(({ value, pointer }) => {
    return { name: textAt(value, 'name'), at: joinPointer(pointer, 'name') };
  });
  const required = [...walkSchemas(documentSchemas(document))].flatMap(({ schema, pointer }) => {
    if (!isObject(schema)) return [];
    const at = joinPointer(pointer, 'required');
    return stringsAt(schema, 'required').map((name) => ({ name, at }));
  });
  // Methods may share a parameter, and a schema may list several names.
  const places = new Map([...named, ...required].map((each) => [`${each.at} ${each.name}`, each]));
  return [...places.values()].flatMap(({ name, at }) => {
    if (name.isWellFormed()) return [];
    const message = `the name ${JSON.stringify(name)} ${HALF}`;
    return [{ message, fix: 'write both halves, or rename it', pointer: at }];
  });
}

function findBadPatterns(document: JsonObject): readonly PointerDiagnostic[] {
  return [...walkSchemas(documentSchemas(document))].flatMap(({ schema, pointer }) => {
    if (!isObject(schema)) return [];
    const { pattern, patternProperties } = schema;
    const own =
      typeof pattern === 'string' ? [{ pattern, at: joinPointer(pointer, 'pattern') }] : [];
    const below = joinPointer(pointer, 'patternProperties');
    const keys = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    return [...own, ...keys.map((key) => ({ pattern: key, at: joinPointer(below, key) }))]
      .filter((each) => !isPattern(each.pattern))
      .map((each) => ({
        message: `"${each.pattern}" is not a regular expression`,
        fix: 'use ECMAScript syntax',
        pointer: each.at,
      }));
  });
}
