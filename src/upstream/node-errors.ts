import type { NodeError } from '../errors/catalogue.ts';
import { examined } from '../errors/examined.ts';
import type { StreamingOutcome } from './upstream.ts';
import { failure } from './failure.ts';

/** A node error that another node of the network may not have. */
interface Rule {
  /** Undefined: every one. */
  readonly family?: string;
  /** `server`: those an implementation gives what meaning it likes. */
  readonly codes: readonly number[] | 'server';
  /** Undefined: whatever the message. */
  readonly message?: RegExp;
  /** What leaves when no other node is left: the node's own words, or that none can serve. */
  readonly last: 'error' | 'unhealthy';
}

/**
 * Everything not named here is a node's final answer. Never matched by its message alone: what a
 * contract says when it reverts (code 3, or -32000 of older nodes), see `ruleFor`.
 */
const rules: readonly Rule[] = [
  // Agave (rpc-client-api, custom_error): the node is behind the cluster; it has not reached the
  // slot asked for; it does not keep the index that the call needs; its scan was cut short.
  { family: 'svm', codes: [-32005], last: 'unhealthy' },
  { family: 'svm', codes: [-32016], last: 'error' },
  { family: 'svm', codes: [-32010], last: 'error' },
  { family: 'svm', codes: [-32012], last: 'error' },

  // EIP-1474 limit exceeded, and what providers use in its place with HTTP status 200.
  { family: 'evm', codes: [-32005], last: 'unhealthy' },
  // The provider refuses the operator's own credentials; to a caller these codes mean the caller's.
  { codes: [401, 402, 403, 429], last: 'unhealthy' },
  {
    codes: 'server',
    message: /\b(?:too many requests|rate[ -]?limit(?:ed)?|request limit reached)\b/i,
    last: 'unhealthy',
  },
  {
    codes: 'server',
    message:
      /\b(?:exceeded (?:its|your|the) .{0,100}(?:quota|capacity|limit)|capacity exceeded)\b/i,
    last: 'unhealthy',
  },

  // The node is behind, or keeps no state or history that old (geth, Erigon, Nethermind, reth).
  {
    family: 'evm',
    codes: [-32000, -32001, -39001],
    message: /^(?:header|block)(?: with .+)? (?:is )?not found|^unknown block/i,
    last: 'error',
  },
  {
    family: 'evm',
    codes: [-32000],
    message: /^(?:safe|finalized) block not found/i,
    last: 'error',
  },
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
  // geth: history pruned (EIP-4444); the index of transactions is not built yet.
  { family: 'evm', codes: [4444], last: 'error' },
  {
    family: 'evm',
    codes: [-32000],
    message: /^transaction indexing is in progress/i,
    last: 'error',
  },
  // EIP-1474 resource unavailable; geth's word for an execution that took it too long.
  { family: 'evm', codes: [-32002], last: 'error' },

  // The network offers the method; this node does not (JSON-RPC 2.0, EIP-1474).
  { codes: [-32601], last: 'error' },
  { family: 'evm', codes: [-32004], last: 'error' },
];

/** Whether another node should be asked after this error. */
export function asksNext(family: string, error: NodeError): boolean {
  return ruleFor(family, error) !== undefined;
}

/** Whether a node that answers so should be spared for a while. */
export function meansUnhealthy(family: string, error: NodeError): boolean {
  return ruleFor(family, error)?.last === 'unhealthy';
}

/** What an outcome becomes when no other node is left to ask. */
export function asLast(family: string, outcome: StreamingOutcome): StreamingOutcome {
  if (outcome.kind !== 'error' || !meansUnhealthy(family, outcome.error)) return outcome;
  return failure('unhealthy', `the node says ${outcome.error.code}`);
}

function ruleFor(family: string, error: NodeError): Rule | undefined {
  const { code } = error;
  const message = examined(error.message);
  const isRevert = /\brevert/i.test(message);
  return rules.find(
    (rule) =>
      (rule.family === undefined || rule.family === family) &&
      (rule.codes === 'server' ? isServerCode(code) : rule.codes.includes(code)) &&
      (rule.message === undefined || (!isRevert && rule.message.test(message))),
  );
}

/** JSON-RPC 2.0, section 5.1: the range left to implementations, and the internal error. */
function isServerCode(code: number): boolean {
  return code === -32603 || (code <= -32000 && code >= -32099);
}
