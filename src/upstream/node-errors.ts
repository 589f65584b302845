import { examined, type NodeError } from '../errors/node-error.ts';
import { meansNotFound } from '../errors/not-found.ts';
import { failure, type StreamingOutcome } from './upstream.ts';

/** A node error that another node of the network may not return. */
interface Rule {
  /** Any family when undefined. */
  readonly family?: string;
  /** `server`: the codes whose meaning JSON-RPC leaves to implementations. */
  readonly codes: readonly number[] | 'server';
  /** Any message when undefined; otherwise, none of a revert or a timeout. */
  readonly message?: RegExp;
  /**
   * What the caller gets when no other node is left: the error, or a failure because the node is unhealthy.
   */
  readonly last: 'error' | 'unhealthy';
}

const ANY = /(?:)/;

/** A contract that reverts chooses its message. A call that took too long would take as long on other nodes. */
const OF_CALL = /\b(?:revert|timeout\b|timed out\b)/i;

/**
 * Errors not listed here are final. No rule matches by message alone: a reverting contract chooses
 * its own message (code 3, or -32000 from older nodes), see `ruleFor`.
 */
const rules: readonly Rule[] = [
  // Agave (rpc-client-api, custom_error): the node is behind the cluster; it has not reached the
  // requested slot; it does not keep the index that the call needs; its bank was replaced during the scan.
  // A scan of too many accounts is final: others would scan as many.
  { family: 'svm', codes: [-32005], last: 'unhealthy' },
  { family: 'svm', codes: [-32016], last: 'error' },
  { family: 'svm', codes: [-32010], last: 'error' },
  { family: 'svm', codes: [-32012], message: /\bslot\b/i, last: 'error' },

  // EIP-1474 limit exceeded, and what providers return instead with HTTP status 200.
  { family: 'evm', codes: [-32005], message: ANY, last: 'unhealthy' },
  // The provider rejects the operator's credentials; the caller would think that its own were rejected.
  { codes: [401, 402, 403, 429], last: 'unhealthy' },
  {
    codes: 'server',
    message: /\b(?:too many requests|rate[ -]?limit(?:ed)?|request limit reached)\b/i,
    last: 'unhealthy',
  },
  {
    codes: 'server',
    message:
      /\b(?:exceeded (?:its|your) .{0,100}(?:quota|capacity|limit)|capacity exceeded|exceeded the .{0,100}quota)\b/i,
    last: 'unhealthy',
  },

  // The node does not keep state or history that old (geth, Erigon, Nethermind, reth).
  { family: 'evm', codes: [-32000], message: /^missing trie node/i, last: 'error' },
  {
    family: 'evm',
    codes: [-32000, -32001, -32002, -32602, -32603],
    message: /\bstate .{0,100}(?:not available|unavailable|pruned)|no state available/i,
    last: 'error',
  },
  {
    family: 'evm',
    codes: [-32000, -32602, -32603],
    message: /^distance to target block exceeds/i,
    last: 'error',
  },
  // geth: history pruned (EIP-4444); the transaction index is not built yet.
  { family: 'evm', codes: [4444], last: 'error' },
  {
    family: 'evm',
    codes: [-32000],
    message: /^transaction indexing is in progress/i,
    last: 'error',
  },
  // EIP-1474 resource unavailable; geth also uses it for a call that took too long.
  { family: 'evm', codes: [-32002], message: ANY, last: 'error' },

  // The network has the method, this node does not (JSON-RPC 2.0, EIP-1474).
  { codes: [-32601], last: 'error' },
  { family: 'evm', codes: [-32004], last: 'error' },
];

/**
 * Whether another node should be called after this error. This includes "not found" errors of EVM nodes,
 * because a node that is behind lacks the newest blocks.
 */
export function isRetried(family: string, error: NodeError): boolean {
  return ruleFor(family, error) !== undefined || (family === 'evm' && meansNotFound(error));
}

/** Whether the error counts as a failure of the node. */
export function meansUnhealthy(family: string, error: NodeError): boolean {
  return ruleFor(family, error)?.last === 'unhealthy';
}

/** Converts the outcome of an attempt to that of its call when no other node is left. */
export function lastOutcome(family: string, outcome: StreamingOutcome): StreamingOutcome {
  if (outcome.kind !== 'error' || !meansUnhealthy(family, outcome.error)) return outcome;
  return failure('unhealthy', `the node returned the error ${outcome.error.code}`);
}

function ruleFor(family: string, error: NodeError): Rule | undefined {
  const { code } = error;
  const message = examined(error.message);
  const isOfCall = OF_CALL.test(message);
  return rules.find(
    (rule) =>
      (rule.family === undefined || rule.family === family) &&
      (rule.codes === 'server' ? isServerCode(code) : rule.codes.includes(code)) &&
      (rule.message === undefined || (!isOfCall && rule.message.test(message))),
  );
}

/** JSON-RPC 2.0, section 5.1: the range for implementations, and the internal error. */
function isServerCode(code: number): boolean {
  return code === -32603 || (code <= -32000 && code >= -32099);
}
