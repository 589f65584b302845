import { splitPointer } from '../../common/json/pointer.ts';
import { isUtf8 } from 'node:buffer';
import { JsonSyntaxError, Scanner } from './scanner.ts';

/** Bytes `[start, end)` of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its name, decoded, and where its value stands. */
export interface Member extends Range {
  readonly name: string;
}

/** A whole JSON text: where its one value stands, and the ranges of that value's parts. */
export type JsonText =
  | (Range & { readonly kind: 'object'; readonly members: readonly Member[] })
  | (Range & { readonly kind: 'array'; readonly elements: readonly Range[] })
  | (Range & { readonly kind: 'scalar' });

/** Depth given to the ranges of text that `scanText` has already bounded. */
const ALREADY_BOUNDED = Number.POSITIVE_INFINITY;

/**
 * Checks that `bytes` are one JSON value (RFC 8259, UTF-8, at most `max_depth` levels of nesting)
 * and tells where its members or elements stand. Throws JsonSyntaxError.
 */
export function scanText(bytes: Buffer, max_depth: number): JsonText {
  if (!isUtf8(bytes)) throw new JsonSyntaxError('not UTF-8', 0);
  const scanner = new Scanner(bytes, 0, max_depth);
  scanner.space();
  const start = scanner.at;
  const text = scanParts(scanner, start);
  scanner.space();
  if (scanner.at < scanner.end) scanner.fail('text after the value');
  return text;
}

/** Members of the object that stands at `start` in text that `scanText` has passed. */
export function memberRanges(bytes: Buffer, start: number): readonly Member[] {
  return collectMembers(new Scanner(bytes, start, ALREADY_BOUNDED));
}

/** Elements of the array that stands at `start` in text that `scanText` has passed. */
export function elementRanges(bytes: Buffer, start: number): readonly Range[] {
  return collectElements(new Scanner(bytes, start, ALREADY_BOUNDED));
}

/**
 * Where the value that an RFC 6901 pointer names stands, in text that `scanText` has passed;
 * undefined when there is none. Of members with the same name the last counts, as in JSON.parse.
 */
export function rangeAt(bytes: Buffer, pointer: string): Range | undefined {
  const scanner = new Scanner(bytes, 0, ALREADY_BOUNDED);
  scanner.space();
  const start = scanner.at;
  scanner.value();
  let range: Range | undefined = { start, end: scanner.at };
  for (const token of splitPointer(pointer)) {
    if (range === undefined) return undefined;
    range = childAt(bytes, range.start, token);
  }
  return range;
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

/** Names that every call and every answer has: recognised without making a string of each. */
const familiar = new Map(
  ['jsonrpc', 'id', 'method', 'params', 'result', 'error'].map((name) => [
    (name.length << 8) | name.charCodeAt(0),
    { name, bytes: Buffer.from(name) },
  ]),
);

function decodeName(bytes: Buffer, start: number, end: number): string {
  const known = familiar.get(((end - start) << 8) | bytes[start]!);
  if (known !== undefined && isAt(bytes, start, known.bytes)) return known.name;
  const raw = bytes.toString('utf8', start, end);
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
}

function isAt(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index += 1) {
    if (bytes[start + index] !== text[index]) return false;
  }
  return true;
}
