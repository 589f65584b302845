import { examined, type NodeError } from '../errors/node-error.ts';

/** A revert: its decoded reason (empty when there is none) and its raw data. */
export interface Revert {
  readonly detail: string;
  readonly data: string;
}

/** The code of geth and of nodes that follow it. */
const REVERTED = 3;

/** How a node reports a reverted call. The word alone proves nothing: chains revert blocks, too. */
interface Dialect {
  /** Undefined: any code. */
  readonly codes?: readonly number[];
  /** Matched against the start of the message, and of data that is text. */
  readonly says: RegExp;
}

const dialects: readonly Dialect[] = [
  // geth (code 3), and nodes that follow it with code 3 or -32000: Erigon, reth, Besu, anvil, newer
  // Nethermind, Hardhat 3.
  { says: /^(?:error: )?execution reverted\b/i },
  // Hardhat, Ganache, Frontier.
  { says: /^(?:error: )?vm exception while processing transaction: revert(?:ed)?\b/i },
  { says: /^(?:error: )?transaction reverted(?: without a reason\b| and hardhat\b|:|\.?$)/i },
  // Older Nethermind and OpenEthereum: `VM execution error.` with data `Reverted 0x…` or `revert`.
  { codes: [-32015], says: /^revert(?:ed)?\b/i },
  { says: /^revert(?:ed)?(?: 0x[0-9a-f]*)?\.?$/i },
  // Any other message with geth's code.
  { codes: [REVERTED], says: /\brevert(?:ed)?\b/i },
];

/**
 * Reads a revert in any dialect: the reason comes from its data or, if a node sends none, from its
 * message. Returns undefined when the error is not a revert.
 */
export function readRevert(error: NodeError): Revert | undefined {
  const data = findData(error.data, 0);
  if (!meansRevert(error, data)) return undefined;
  if (data === undefined || data === '0x') return { detail: reasonIn(error.message), data: '0x' };
  return { detail: decodeRevert(data) ?? reasonIn(error.message), data };
}

function meansRevert(error: NodeError, data: string | undefined): boolean {
  const { code, message } = error;
  if (code === REVERTED && data !== undefined) return true;
  const said = typeof error.data === 'string' ? [message, error.data] : [message];
  const texts = said.map(examined);
  return dialects.some(
    ({ codes, says }) =>
      (codes === undefined || codes.includes(code)) && texts.some((text) => says.test(text)),
  );
}

/** Where the nodes above put the reason when it is not in the data. */
const reasons: readonly RegExp[] = [
  /^execution reverted: (.+)$/is,
  /reverted with reason string '(.*?)'?$/is,
  /reverted with (?:an? )?(panic code .+|custom error .+|unrecognized custom error .+)$/is,
  /VM Exception while processing transaction: revert (.+)$/is,
  /^(?:error: )?transaction reverted: (.+)$/is,
];

function reasonIn(message: string): string {
  for (const pattern of reasons) {
    const [, reason] = pattern.exec(message) ?? [];
    if (reason !== undefined) return reason;
  }
  return '';
}

/** Members of `data` objects that contain the raw revert data, in nodes that nest it. */
const holders = ['data', 'result', 'return', 'originalError'];
const MAX_DEPTH = 3;

function findData(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return /(?:^|\s)(0x(?:[0-9a-f]{2})*)$/i.exec(value)?.[1];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  for (const holder of holders) {
    const found = findData((value as Record<string, unknown>)[holder], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Descriptions of the codes of Solidity's Panic(uint256), as in Foundry. */
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
 * Returns the reason in raw revert data: the text of `Error(string)`, the kind of `Panic(uint256)`, or
 * the selector of a custom error (Solidity ABI). Empty when an error or a panic is cut off; undefined
 * when the data is not ABI-encoded.
 */
export function decodeRevert(data: string): string | undefined {
  const bytes = Buffer.from(data.slice(2), 'hex');
  const selector = bytes.toString('hex', 0, 4);
  const body = bytes.subarray(4);
  if (selector === ERROR_STRING) return decodeString(body) ?? '';
  if (selector === PANIC) return decodePanic(body) ?? '';
  return bytes.length % WORD_BYTES === 4 ? `custom error 0x${selector}` : undefined;
}

function decodePanic(body: Buffer): string | undefined {
  if (body.length < WORD_BYTES) return undefined;
  const code = readWord(body, 0);
  const kind = (code === undefined ? undefined : panics[code]) ?? 'unknown code';
  const digits = BigInt(`0x${body.toString('hex', 0, WORD_BYTES)}`).toString(16);
  return `panic: ${kind} (0x${digits.padStart(2, '0')})`;
}

/** Decodes an ABI-encoded string: its offset, its length, its UTF-8. */
function decodeString(body: Buffer): string | undefined {
  const at = readWord(body, 0);
  const length = at === undefined ? undefined : readWord(body, at);
  if (at === undefined || length === undefined) return undefined;
  const start = at + WORD_BYTES;
  return start + length <= body.length ? body.toString('utf8', start, start + length) : undefined;
}

/** Reads a 32-byte word as a number; undefined when it is missing or too large for a length. */
function readWord(body: Buffer, at: number): number | undefined {
  if (at + WORD_BYTES > body.length) return undefined;
  const low = at + WORD_BYTES - 4;
  return body.subarray(at, low).every((byte) => byte === 0) ? body.readUInt32BE(low) : undefined;
}
