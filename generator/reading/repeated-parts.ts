import type { PointerDiagnostic } from '../../common/diagnostic.ts';
import { joinPointer } from '../../common/json/pointer.ts';
import type { JsonObject } from '../../common/json/value.ts';
import { followRef, listRefs, type Member } from '../model/member.ts';

/** Maximum number of characters of JSON that references to shared parts add to a document. */
export const MAX_REPEATED_CHARACTERS = 32_000_000;

/** A part of a document and the number of times that methods contain it, references followed. */
interface Uses {
  readonly part: Member;
  count: number;
}

/**
 * Finds parts that methods share by reference and that add up to too much text: a Model, and what is
 * written from it, has a content descriptor, error, tag or example once for each method that refers
 * to it. References in schemas are not followed, because they are written as references.
 *
 * @returns the part that adds most, or null if all of them are within the limit
 */
export function findTooRepeated(document: JsonObject): PointerDiagnostic | null {
  const added = countUses(document)
    .filter(({ count }) => count > 1)
    .map(({ part, count }) => {
      const size = JSON.stringify(part.value).length;
      return { pointer: part.pointer, size, count, characters: size * (count - 1) };
    });
  const total = added.reduce((sum, { characters }) => sum + characters, 0);
  if (total <= MAX_REPEATED_CHARACTERS) return null;
  const { pointer, size, count } = added.reduce((a, b) => (b.characters > a.characters ? b : a));
  const limit = MAX_REPEATED_CHARACTERS.toLocaleString('en-US');
  return {
    pointer,
    message:
      `methods repeat more than ${limit} characters of shared parts, most of them by ` +
      `${count} references to this part of ${size} characters`,
    fix: 'shorten it, or refer to it less often',
  };
}

function countUses(document: JsonObject): readonly Uses[] {
  const methods = listRefs(document, '/methods').map(({ pointer }) => pointer);
  const at = (members: readonly string[]) =>
    methods.flatMap((method) =>
      members.flatMap((member) => listRefs(document, joinPointer(method, member))),
    );
  const results = methods.map((method) => followRef(document, joinPointer(method, 'result')));
  const examples = new Map<string, Uses>();
  for (const part of at(['examples'])) addUse(examples, part, 1);
  const values = new Map<string, Uses>();
  for (const { part, count } of examples.values()) {
    // What is written in the example is counted as a part of it.
    for (const value of valuesOf(document, part)) {
      if (!value.pointer.startsWith(`${part.pointer}/`)) addUse(values, value, count);
    }
  }
  const others = new Map<string, Uses>();
  for (const part of [...at(['params', 'errors', 'tags']), ...results]) addUse(others, part, 1);
  return [...examples.values(), ...values.values(), ...others.values()];
}

function valuesOf(document: JsonObject, { pointer }: Member): readonly Member[] {
  const result = followRef(document, joinPointer(pointer, 'result'));
  return [...listRefs(document, joinPointer(pointer, 'params')), result];
}

function addUse(uses: Map<string, Uses>, part: Member, count: number): void {
  const known = uses.get(part.pointer);
  if (known === undefined) uses.set(part.pointer, { part, count });
  else known.count += count;
}
