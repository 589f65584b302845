/** An ABI argument that takes one word: a number, or a hex string of up to 32 bytes (addresses). */
export type Word = number | bigint | `0x${string}`;

/** One 32-byte word, numbers and addresses flush right, as 64 hex digits without a prefix. */
export function encodeWord(value: Word): string {
  const digits = typeof value === 'string' ? value.slice(2) : value.toString(16);
  return digits.padStart(64, '0');
}

/** The tail of a dynamic string: its length in bytes, then the bytes flush left. */
function encodeText(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const width = Math.ceil(bytes.length / 32) * 64;
  return encodeWord(bytes.length) + bytes.toString('hex').padEnd(width, '0');
}

/**
 * Calldata of a function call or, with bytecode in the selector's place, of a contract creation
 * (Solidity contract ABI specification, argument encoding).
 *
 * @param head the function's selector or the contract's creation bytecode, with 0x.
 * @param text a last argument of type string, if the function has one.
 */
export function encodeCall(head: string, words: readonly Word[] = [], text?: string): string {
  const fixed = words.map(encodeWord).join('');
  if (text === undefined) return head + fixed;
  return head + fixed + encodeWord((words.length + 1) * 32) + encodeText(text);
}
