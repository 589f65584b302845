/** Words for the codes of Solidity's Panic(uint256), as Foundry's nodes have them. */
const panics: Readonly<Record<number, string>> = {
  0x00: 'generic/unspecified error',
  0x01: 'assertion failed',
  0x11: 'arithmetic underflow or overflow',
  0x12: 'division or modulo by zero',
  0x21: 'failed to convert value into enum type',
  0x22: 'storage byte array incorrectly encoded',
  0x31: 'called `.pop()` on an empty array',
  0x32: 'array out-of-bounds access',
  0x41: 'memory allocation error',
  0x51: 'called an invalid internal function',
};

const ERROR_STRING = '08c379a0';
const PANIC = '4e487b71';
const WORD_BYTES = 32;

/**
 * The reason in raw revert data: the text of `Error(string)`, the kind of `Panic(uint256)`, or the
 * selector of a custom error (Solidity ABI). Empty when the data names none.
 */
export function decodeRevert(data: string): string {
  const bytes = Buffer.from(data.slice(2), 'hex');
  if (bytes.length < 4) return '';
  const selector = bytes.toString('hex', 0, 4);
  const body = bytes.subarray(4);
  const reason = selector === ERROR_STRING ? decodeString(body) : undefined;
  if (reason !== undefined) return reason;
  if (selector === PANIC && body.length >= WORD_BYTES) {
    const code = readWord(body, 0);
    const words = (code === undefined ? undefined : panics[code]) ?? 'unknown code';
    return `panic: ${words} (0x${BigInt(`0x${body.toString('hex', 0, WORD_BYTES)}`)
      .toString(16)
      .padStart(2, '0')})`;
  }
  return `custom error 0x${selector}`;
}

/** One ABI-encoded string: where it stands, how long it is, its UTF-8. */
function decodeString(body: Buffer): string | undefined {
  const at = readWord(body, 0);
  const length = at === undefined ? undefined : readWord(body, at);
  if (at === undefined || length === undefined) return undefined;
  const start = at + WORD_BYTES;
  return start + length <= body.length ? body.toString('utf8', start, start + length) : undefined;
}

/** A 32-byte word as a number; undefined when it is missing or larger than any length can be. */
function readWord(body: Buffer, at: number): number | undefined {
  if (at + WORD_BYTES > body.length) return undefined;
  const low = at + WORD_BYTES - 4;
  return body.subarray(at, low).every((byte) => byte === 0) ? body.readUInt32BE(low) : undefined;
}
