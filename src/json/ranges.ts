import { isUtf8 } from 'node:buffer';
import { splitPointer } from '../../common/json/pointer.ts';
import { OPEN_ARRAY, OPEN_OBJECT } from './bytes.ts';
import { JsonSyntaxError, Scanner } from './scanner.ts';
import { invalidUtf8At } from './utf8-checker.ts';

/** Bytes `[start, end)` of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its decoded name and the range of its value. */
export interface Member extends Range {
  readonly name: string;
}

/** A JSON text: the range of its value and of the value's members or elements. */
export type JsonText =
  | (Range & { readonly kind: 'object'; readonly members: readonly Member[] })
  | (Range & { readonly kind: 'array'; readonly elements: readonly Range[] })
  | (Range & { readonly kind: 'scalar' });

/** For text whose depth `scanText` has checked. */
const ANY_DEPTH = Number.POSITIVE_INFINITY;

/**
 * Checks that `bytes` are one JSON value (RFC 8259, UTF-8, at most `max_depth` levels of nesting)
 * and returns the ranges of its members or elements. Throws JsonSyntaxError.
 */
export function scanText(bytes: Buffer, max_depth: number): JsonText {
  return scanOnly(bytes, max_depth, (scanner) => scanParts(scanner, scanner.at));
}

/** Scans the only value of a text with `scan`, which starts at the value. */
function scanOnly<T>(bytes: Buffer, max_depth: number, scan: (scanner: Scanner) => T): T {
  if (!isUtf8(bytes)) throw new JsonSyntaxError('not UTF-8', invalidUtf8At(bytes));
  const scanner = new Scanner(bytes, 0, max_depth);
  scanner.space();
  const value = scan(scanner);
  scanner.space();
  if (scanner.at < scanner.end) scanner.fail('text after the value');
  return value;
}

/**
 * Maximum members of an object that is read by name. A request has four, a block about thirty; each takes
 * fifty times as long as the same bytes in a string.
 */
const MAX_MEMBERS = 64;

/** Names that are read are shorter, even if each character is written as an escape. */
const MAX_NAME_BYTES = 256;

/** Throws JsonSyntaxError if an object that is read by name has this many members. */
export function checkMembers(count: number, at = 0): void {
  if (count > MAX_MEMBERS) throw new JsonSyntaxError(`more than ${MAX_MEMBERS} members`, at);
}

/**
 * Checks an object as `scanText` does and returns the values of the members listed in `names`; the last
 * duplicate counts.
 */
export function scanMembers(
  bytes: Buffer,
  max_depth: number,
  names: ReadonlySet<string>,
): ReadonlyMap<string, Range> {
  return scanOnly(bytes, max_depth, (scanner) => {
    if (bytes[scanner.at] !== OPEN_OBJECT) scanner.fail('expected an object');
    return scanNamed(scanner, names);
  });
}

/**
 * Checks an array as `scanText` does. For each element, passes its members listed in `names` to
 * `onElement`, undefined if it is not an object. Only the levels within an element count toward `max_depth`.
 * What `onElement` throws ends the scan.
 */
export function scanObjects(
  bytes: Buffer,
  max_depth: number,
  names: ReadonlySet<string>,
  onElement: (members: ReadonlyMap<string, Range> | undefined) => void,
): void {
  scanOnly(bytes, max_depth, (scanner) => {
    if (bytes[scanner.at] !== OPEN_ARRAY) scanner.fail('expected an array');
    scanner.elements(() => {
      if (bytes[scanner.at] === OPEN_OBJECT) return onElement(scanNamed(scanner, names));
      scanner.value();
      return onElement(undefined);
    });
  });
}

function scanNamed(scanner: Scanner, names: ReadonlySet<string>): ReadonlyMap<string, Range> {
  const members = new Map<string, Range>();
  const bytes = scanner.bytes as Buffer;
  let count = 0;
  scanner.object((name_start, name_end, start, end) => {
    count += 1;
    checkMembers(count, name_start);
    // Decoding a name as long as the text takes as long as reading the text.
    if (name_end - name_start > MAX_NAME_BYTES) return;
    const name = decodeName(bytes, name_start, name_end);
    if (names.has(name)) members.set(name, { start, end });
  });
  return members;
}

/** Returns the members of the object at `start` of a text that `scanText` has checked. */
export function memberRanges(bytes: Buffer, start: number): readonly Member[] {
  return collectMembers(new Scanner(bytes, start, ANY_DEPTH));
}

/** Returns the elements of the array at `start` of a text that `scanText` has checked. */
export function elementRanges(bytes: Buffer, start: number): readonly Range[] {
  return collectElements(new Scanner(bytes, start, ANY_DEPTH));
}

/**
 * Returns the range of the value at a JSON pointer (RFC 6901) of a text that `scanText` has checked;
 * undefined if not found. The last of duplicate members counts, as in JSON.parse.
 */
export function rangeAt(bytes: Buffer, pointer: string): Range | undefined {
  return rangesAt(bytes, pointer)[0];
}

/** As `rangeAt`, but a token `*` stands for all elements of an array. */
export function rangesAt(bytes: Buffer, pointer: string): readonly Range[] {
  const scanner = new Scanner(bytes, 0, ANY_DEPTH);
  scanner.space();
  const start = scanner.at;
  scanner.value();
  let ranges: readonly Range[] = [{ start, end: scanner.at }];
  for (const token of splitPointer(pointer)) {
    ranges = ranges.flatMap((range) => {
      if (token === '*' && bytes[range.start] === 0x5b) return elementRanges(bytes, range.start);
      return childAt(bytes, range.start, token) ?? [];
    });
  }
  return ranges;
}

function childAt(bytes: Buffer, start: number, token: string): Range | undefined {
  if (bytes[start] === 0x5b) return elementRanges(bytes, start)[Number(token)];
  if (bytes[start] !== 0x7b) return undefined;
  return memberRanges(bytes, start).findLast((member) => member.name === token);
}

function scanParts(scanner: Scanner, start: number): JsonText {
  const first = scanner.bytes[start];
  if (first === 0x7b) {
    return { kind: 'object', members: collectMembers(scanner), start, end: scanner.at };
  }
  if (first === 0x5b) {
    return { kind: 'array', elements: collectElements(scanner), start, end: scanner.at };
  }
  scanner.value();
  return { kind: 'scalar', start, end: scanner.at };
}

function collectMembers(scanner: Scanner): Member[] {
  const members: Member[] = [];
  const bytes = scanner.bytes as Buffer;
  scanner.object((name_start, name_end, start, end) => {
    members.push({ name: decodeName(bytes, name_start, name_end), start, end });
  });
  return members;
}

function collectElements(scanner: Scanner): Range[] {
  const elements: Range[] = [];
  scanner.array((start, end) => elements.push({ start, end }));
  return elements;
}

/** Names of JSON-RPC members, which are recognized without decoding. */
const commonNames = new Map(
  ['jsonrpc', 'id', 'method', 'params', 'result', 'error'].map((name) => [
    (name.length << 8) | name.charCodeAt(0),
    { name, bytes: Buffer.from(name) },
  ]),
);

function decodeName(bytes: Buffer, start: number, end: number): string {
  const known = commonNames.get(((end - start) << 8) | bytes[start]!);
  if (known !== undefined && isAt(bytes, start, known.bytes)) return known.name;
  const raw = bytes.toString('utf8', start, end);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

/** Compares a few bytes in a loop, which is faster than a call into Node. */
function isAt(bytes: Buffer, start: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index += 1) {
    if (bytes[start + index] !== expected[index]) return false;
  }
  return true;
}

/**
 * Whether an object of `bytes` (checked by `scanText` and parsed as `value`) has duplicate members.
 * JSON.parse keeps the last, other parsers may keep the first: what is validated must be what is
 * executed (RFC 8259, section 4).
 */
export function hasDuplicateNames(bytes: Buffer, value: unknown): boolean {
  if (!bytes.includes(0x7b)) return false;
  return measureMembers(bytes).count !== membersOf(value);
}

/** The members of all objects in a text. */
export interface MemberStats {
  readonly count: number;
  /** Size of the longest name, as written. */
  readonly maxName_bytes: number;
}

/** Measures the members of all objects in a text that `scanText` has checked. */
export function measureMembers(bytes: Buffer): MemberStats {
  const scanner = new Scanner(bytes, 0, ANY_DEPTH);
  scanner.space();
  scanner.value();
  return { count: scanner.members, maxName_bytes: scanner.maxName_bytes };
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) count += membersOf(child);
  return count;
}

/** Replaces the bytes of a range; an empty range inserts. */
export interface Edit extends Range {
  readonly replacement: string;
}

/** Applies edits, which must not overlap. All other bytes stay the same. */
export function splice(bytes: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return bytes;
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of edits.toSorted((left, right) => left.start - right.start)) {
    parts.push(bytes.subarray(at, edit.start), Buffer.from(edit.replacement));
    at = edit.end;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}
