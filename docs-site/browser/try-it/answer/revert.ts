/** The data of a revert, decoded by the Solidity ABI. */
export interface Revert {
  /** "boom reason", "division or modulo by zero (panic 0x12)", "custom error 0xf984d914". */
  readonly reason: string;
  /** The 32-byte words after the selector of a custom error. */
  readonly words: readonly string[];
}

/** Solidity documentation, "Panic via assert and Error via require". */
const PANICS: Readonly<Record<string, string>> = {
  '0x0': 'generic compiler panic',
  '0x1': 'failed assertion',
  '0x11': 'arithmetic overflow or underflow',
  '0x12': 'division or modulo by zero',
  '0x21': 'invalid enum value',
  '0x22': 'invalid storage byte array',
  '0x31': 'pop from an empty array',
  '0x32': 'index out of bounds',
  '0x41': 'out of memory',
  '0x51': 'call to an uninitialized function',
};

const ERROR = '08c379a0';
const PANIC = '4e487b71';
const WORD = 64;

/** Decodes revert data, hexadecimal after "0x"; returns null for data that is not ABI-encoded. */
export function decodeRevert(data: unknown): Revert | null {
  if (typeof data !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(data)) return null;
  const hex = data.slice(2).toLowerCase();
  if (hex === '') return { reason: 'no reason given', words: [] };
  const selector = hex.slice(0, 8);
  const rest = hex.slice(8);
  if (selector === ERROR) {
    const text = textOf(rest);
    return text === null ? null : { reason: text === '' ? 'empty reason' : text, words: [] };
  }
  if (selector === PANIC) {
    if (rest.length !== WORD) return null;
    const code = `0x${BigInt(`0x${rest}`).toString(16)}`;
    return { reason: `${PANICS[code] ?? 'unknown panic'} (panic ${code})`, words: [] };
  }
  if (selector.length < 8 || rest.length % WORD !== 0) return null;
  const words = rest.match(/.{1,64}/g) ?? [];
  return { reason: `custom error 0x${selector}`, words: words.map((word) => `0x${word}`) };
}

/** Decodes an ABI string: offset, length, bytes. */
function textOf(hex: string): string | null {
  const offset = numberAt(hex, 0);
  if (offset === null) return null;
  const length = numberAt(hex, offset * 2);
  if (length === null) return null;
  const start = offset * 2 + WORD;
  const bytes = hex.slice(start, start + length * 2);
  if (bytes.length !== length * 2) return null;
  const pairs = bytes.match(/../g) ?? [];
  return new TextDecoder().decode(new Uint8Array(pairs.map((pair) => Number.parseInt(pair, 16))));
}

function numberAt(hex: string, at: number): number | null {
  const word = hex.slice(at, at + WORD);
  if (word.length !== WORD) return null;
  const value = BigInt(`0x${word}`);
  return value <= BigInt(hex.length) ? Number(value) : null;
}
