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

/** Returns the range of the payload of the item at an offset. */
function spanAt(bytes: Uint8Array, offset: number): Span {
  const prefix = bytes[offset];
  if (prefix === undefined) throw new RangeError('unexpected end of RLP');
  if (prefix < 0x80) return { isList: false, start: offset, end: offset + 1 };
  const isList = prefix >= 0xc0;
  const short = prefix - (isList ? 0xc0 : 0x80);
  // Up to 55 the prefix holds the length itself, above it the width of the length.
  const width = Math.max(short - 55, 0);
  const length = width === 0 ? short : readLength(bytes, offset + 1, width);
  const start = offset + 1 + width;
  if (start + length > bytes.length) throw new RangeError('unexpected end of RLP');
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
 * @throws RangeError if the bytes end too early or continue after the item.
 */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const span = spanAt(bytes, 0);
  if (span.end !== bytes.length) throw new RangeError('unexpected bytes after the RLP item');
  return decodeSpan(bytes, span);
}

/** Decodes a hex string with 0x and an even number of digits. */
export function toBytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.slice(2), 'hex'));
}

export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** Formats big-endian bytes as a quantity: without leading zeros, `0x0` if empty. */
export function toQuantity(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes).toString('hex').replace(/^0+/, '');
  return `0x${digits || '0'}`;
}
