import {
  elementRanges,
  hasDuplicateNames,
  memberRanges,
  rangesAt,
  splice,
} from '../json/ranges.ts';
import type { Edit, Range } from '../json/ranges.ts';
import type { MethodEntry } from './protocol.ts';

const NULL = Buffer.from('null');

/**
 * Returns params without the nulls that mean "absent", where the document says so: of optional members
 * of objects, and of optional params at the end. All other values keep their bytes.
 */
export function dropNulls(entry: MethodEntry, params: unknown, rawParams: Buffer): Buffer {
  if (!Array.isArray(params)) return rawParams;
  if (entry.nullMembers.length === 0 && params.at(-1) !== null) return rawParams;
  if (!rawParams.includes(NULL)) return rawParams;
  // Dropping one of two members with the same name would hide the duplicate.
  if (entry.nullMembers.length > 0 && hasDuplicateNames(rawParams, params)) return rawParams;
  let bytes = rawParams;
  // Inner objects first, because an outer one is written again as a whole.
  for (const { pointer, members } of entry.nullMembers.toReversed()) {
    const edits = rangesAt(bytes, pointer).flatMap((range) => withoutNulls(bytes, range, members));
    bytes = splice(bytes, edits);
  }
  return withoutTrailingNulls(entry, bytes);
}

function withoutNulls(bytes: Buffer, range: Range, names: readonly string[]): readonly Edit[] {
  if (bytes[range.start] !== OPENING_BRACE) return [];
  const members = memberRanges(bytes, range.start);
  const kept = members.filter((member) => !names.includes(member.name) || !isNull(bytes, member));
  if (kept.length === members.length) return [];
  const texts = kept.map(
    ({ name, start, end }) => `${JSON.stringify(name)}:${bytes.toString('utf8', start, end)}`,
  );
  return [{ ...range, replacement: `{${texts.join(',')}}` }];
}

function withoutTrailingNulls({ params }: MethodEntry, bytes: Buffer): Buffer {
  const elements = elementRanges(bytes, bytes.indexOf(OPENING_BRACKET));
  let count = elements.length;
  while (
    count > 0 &&
    params[count - 1]?.nullIsAbsent === true &&
    isNull(bytes, elements[count - 1]!)
  ) {
    count -= 1;
  }
  if (count === elements.length) return bytes;
  const start = count === 0 ? elements[0]!.start : elements[count - 1]!.end;
  return splice(bytes, [{ start, end: elements.at(-1)!.end, replacement: '' }]);
}

const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

function isNull(bytes: Buffer, { start, end }: Range): boolean {
  return bytes.subarray(start, end).equals(NULL);
}
