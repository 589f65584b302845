/** An RLP item: a byte string or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

function readLength(bytes: Uint8Array, offset: number, width: number): number {
  let length = 0;
  for (let index = 0; index < width; index += 1) length = length * 256 + bytes[offset + index]!;
  return length;
}

interface Span {
  readonly isList: boolean;
  readonly start: number;
  readonly end: number;
}

/** Where the payload of the item at an offset lies. */
function spanAt(bytes: Uint8Array, offset: number): Span {
  const prefix = bytes[offset];
  if (prefix === undefined) throw new RangeError('the RLP ends inside an item');
  if (prefix < 0x80) return { isList: false, start: offset, end: offset + 1 };
  const isList = prefix >= 0xc0;
  const short = prefix - (isList ? 0xc0 : 0x80);
  // Up to 55 the prefix holds the length itself, above it the width of the length.
  const width = Math.max(short - 55, 0);
  const length = width === 0 ? short : readLength(bytes, offset + 1, width);
  const start = offset + 1 + width;
  if (start + length > bytes.length) throw new RangeError('the RLP ends inside an item');
  return { isList, start, end: start + length };
}

function decodeSpan(bytes: Uint8Array, { isList, start, end }: Span): RlpItem {
  if (!isList) return bytes.subarray(start, end);
  const items: RlpItem[] = [];
  for (let offset = start; offset < end;) {
    const span = spanAt(bytes, offset);
    items.push(decodeSpan(bytes, span));
    offset = span.end;
  }
  return items;
}

/**
 * Decodes one RLP item (Yellow Paper, appendix B).
 *
 * @throws RangeError when the bytes end too early or go on after the item.
 */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const span = spanAt(bytes, 0);
  if (span.end !== bytes.length) throw new RangeError('the RLP goes on after its item');
  return decodeSpan(bytes, span);
}
