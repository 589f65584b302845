import { examined, type NodeError } from '../errors/node-error.ts';
import { decodeRevert } from './revert-data.ts';

/** A revert, whatever the node: the reason decoded (empty when there is none), and the raw data. */
export interface Revert {
  readonly detail: string;
  readonly data: string;
}

/** Code of geth, and of those who follow it. */
const REVERTED = 3;

/** How nodes say that a call reverted. The word alone means nothing: chains revert blocks, too. */
interface Dialect {
  /** Undefined: whatever the code. */
  readonly codes?: readonly number[];
  /** What the message, or data that is text, begins with. */
  readonly says: RegExp;
}

const dialects: readonly Dialect[] = [
  // geth (code 3), and those who follow it with code 3 or -32000: Erigon, reth, Besu, anvil, newer
  // Nethermind, Hardhat 3.
  { says: /^(?:error: )?execution reverted\b/i },
  // Hardhat, Ganache, Frontier.
  { says: /^(?:error: )?vm exception while processing transaction: revert(?:ed)?\b/i },
  { says: /^(?:error: )?transaction reverted(?: without a reason\b| and hardhat\b|:|\.?$)/i },
  // Older Nethermind and OpenEthereum: `VM execution error.` with the data `Reverted 0x…`, or just
  // `revert`.
  { codes: [-32015], says: /^revert(?:ed)?\b/i },
  { says: /^revert(?:ed)?(?: 0x[0-9a-f]*)?\.?$/i },
  // Whatever else is said with geth's code.
  { codes: [REVERTED], says: /\brevert(?:ed)?\b/i },
];

/**
 * Reads a revert from the dialects of nodes: the reason from its data or, where a node sends none,
 * from its message. Undefined when the error is no revert.
 */
export function readRevert(error: NodeError): Revert | undefined {
  const data = findData(error.data, 0);
  if (!meansRevert(error, data)) return undefined;
  if (data === undefined || data === '0x') return { detail: wordsOf(error.message), data: '0x' };
  return { detail: decodeRevert(data), data };
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

/** Where the nodes named above put the reason, when the data does not hold it. */
const reasons: readonly RegExp[] = [
  /^execution reverted: (.+)$/is,
  /reverted with reason string '(.*?)'?$/is,
  /reverted with (?:an? )?(panic code .+|custom error .+|unrecognized custom error .+)$/is,
  /VM Exception while processing transaction: revert (.+)$/is,
  /^(?:error: )?transaction reverted: (.+)$/is,
];

function wordsOf(message: string): string {
  for (const pattern of reasons) {
    const [, reason] = pattern.exec(message) ?? [];
    if (reason !== undefined) return reason;
  }
  return '';
}

/** Members of `data` objects that hold the raw revert data, in nodes that nest it. */
const holders = ['data', 'result', 'return', 'originalError'];
const DEEPEST = 3;

function findData(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return /(?:^|\s)(0x(?:[0-9a-f]{2})*)$/i.exec(value)?.[1];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return undefined;
  for (const holder of holders) {
    const found = findData((value as Record<string, unknown>)[holder], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
