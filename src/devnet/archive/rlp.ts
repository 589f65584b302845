/** An RLP item: a byte string or a list of items. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** Decodes the item at an offset, and returns the offset after it. */
function decodeAt(bytes: Uint8Array, offset: number): readonly [item: RlpItem, end: number] {
  const prefix = bytes[offset];
  if (prefix === undefined) throw new RangeError('unexpected end of RLP');
  if (prefix < 0x80) return [bytes.subarray(offset, offset + 1), offset + 1];
  const isList = prefix >= 0xc0;
  const short = prefix - (isList ? 0xc0 : 0x80);
  // Up to 55 the prefix holds the length itself, above it the width of the length.
  const start = offset + 1 + Math.max(short - 55, 0);
  const length = short > 55 ? Number(toHex(bytes.subarray(offset + 1, start))) : short;
  const end = start + length;
  // A truncated length is NaN.
  if (!(end <= bytes.length)) throw new RangeError('unexpected end of RLP');
  if (!isList) return [bytes.subarray(start, end), end];
  const items: RlpItem[] = [];
  for (let at = start; at < end;) {
    const [item, next] = decodeAt(bytes, at);
    items.push(item);
    at = next;
  }
  return [items, end];
}

/**
 * Decodes one RLP item (Yellow Paper, appendix B).
 *
 * @throws RangeError if the bytes end too early or continue after the item.
 */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const [item, end] = decodeAt(bytes, 0);
  if (end !== bytes.length) throw new RangeError('unexpected bytes after the RLP item');
  return item;
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
  return `0x${BigInt(`0x0${Buffer.from(bytes).toString('hex')}`).toString(16)}`;
}
