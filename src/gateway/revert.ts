import type { NodeError } from '../errors/catalogue.ts';
import { decodeRevert } from './revert-data.ts';

/** A revert, whatever the node: the reason decoded (empty when there is none), and the raw data. */
export interface Revert {
  readonly detail: string;
  readonly data: string;
}

/** Code of geth, and of those who follow it. */
const REVERTED = 3;

/**
 * Reads a revert from the dialects of nodes: geth, Erigon, Besu and anvil (code 3 or -32000, data in
 * hex or none), Nethermind and OpenEthereum (-32015, `Reverted 0x…`), Hardhat and Ganache (-32603 or
 * -32000, the reason in the message, data nested). Undefined when the error is no revert.
 */
export function readRevert(error: NodeError): Revert | undefined {
  const data = findData(error.data, 0);
  const saysSo =
    error.code === REVERTED ||
    /\brevert(ed)?\b/i.test(error.message) ||
    (typeof error.data === 'string' && /^revert(ed)?\b/i.test(error.data));
  if (!saysSo) return undefined;
  if (data === undefined || data === '0x') return { detail: wordsOf(error.message), data: '0x' };
  return { detail: decodeRevert(data), data };
}

/** Where the nodes named above put the reason, when the data does not hold it. */
const reasons: readonly RegExp[] = [
  /^execution reverted: (.+)$/is,
  /reverted with reason string '(.*)'$/is,
  /reverted with (?:an? )?(panic code .+|custom error .+|unrecognized custom error .+)$/is,
  /VM Exception while processing transaction: revert (.+)$/is,
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
