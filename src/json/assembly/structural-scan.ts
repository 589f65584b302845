// Finds where a JSON object or array ends, 64 bytes at a time. Compiled from AssemblyScript to
// structural-scan.wasm by `npm run generate`. Only strings, escapes and the depth of brackets are
// read: other syntax is not checked, nor whether a bracket is closed by one of its own kind.

/** The text is written to the start of memory, with space for a padded last block. */
const BLOCK_BYTES = 64;
const EVEN_BITS: u64 = 0x5555_5555_5555_5555;

/** Levels that are open; set before a scan, read after it. */
export let depth: i32 = 0;
/** 1 within a string. */
export let in_string: i32 = 0;
/** 1 if the next byte is escaped. */
export let escaped: i32 = 0;

/** Bit n is set if byte n of the block, combined with `folded` by OR, equals the byte in `wanted`. */
function bitsOf(at: usize, folded: v128, wanted: v128): u64 {
  return (
    <u64>i8x16.bitmask(i8x16.eq(v128.or(v128.load(at), folded), wanted)) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.or(v128.load(at, 16), folded), wanted))) << 16) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.or(v128.load(at, 32), folded), wanted))) << 32) |
    ((<u64>i8x16.bitmask(i8x16.eq(v128.or(v128.load(at, 48), folded), wanted))) << 48)
  );
}

/** Bits of the bytes that a backslash escapes: each after an odd number of backslashes. */
function escapedBits(backslashes: u64): u64 {
  const carried = <u64>escaped;
  if (backslashes == 0) {
    escaped = 0;
    return carried;
  }
  const escaping = backslashes & ~carried;
  const behind = (escaping << 1) | carried;
  const oddStarts = escaping & ~EVEN_BITS & ~behind;
  const sum = oddStarts + escaping;
  escaped = sum < escaping ? 1 : 0;
  return (EVEN_BITS ^ (sum << 1)) & behind;
}

/** Bit n is the exclusive or of bits 0 to n. */
function prefixXor(bits: u64): u64 {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  return bits ^ (bits << 32);
}

/**
 * Reads `length` bytes. Returns the index after the bracket that closes the outermost level; 0 if
 * the value does not end here; and if it has more than `max_depth` levels, the negative index after
 * the bracket that opens one too many.
 */
export function scan(length: i32, max_depth: i32): i32 {
  const none = i8x16.splat(0);
  // The bit in which `[` and `{`, and `]` and `}`, differ.
  const kinds = i8x16.splat(0x20);
  memory.fill(<usize>length, 0, BLOCK_BYTES);
  for (let at: i32 = 0; at < length; at += BLOCK_BYTES) {
    const escapes = escapedBits(bitsOf(at, none, i8x16.splat(0x5c)));
    // In a padded block the escaped byte may be the one after the text.
    if (at + BLOCK_BYTES > length) escaped = <i32>((escapes >> (length - at)) & 1);
    const quotes = bitsOf(at, none, i8x16.splat(0x22)) & ~escapes;
    const strings = prefixXor(quotes) ^ (0 - <u64>in_string);
    in_string = <i32>(strings >> 63);
    const opening = bitsOf(at, kinds, i8x16.splat(0x7b)) & ~strings;
    const closing = bitsOf(at, kinds, i8x16.splat(0x7d)) & ~strings;
    const opened = <i32>popcnt(opening);
    const closed = <i32>popcnt(closing);
    if (closed < depth && depth + opened <= max_depth) {
      depth += opened - closed;
      continue;
    }
    let brackets = opening | closing;
    while (brackets != 0) {
      const index = <i32>ctz(brackets);
      if (((closing >> index) & 1) == 1) {
        depth -= 1;
        if (depth == 0) return at + index + 1;
      } else {
        depth += 1;
        if (depth > max_depth) return -(at + index + 1);
      }
      brackets &= brackets - 1;
    }
  }
  return 0;
}
