import type { NodeError } from '../errors/catalogue.ts';
import { failure, type UpstreamOutcome } from './upstream.ts';

/** A node error that another node of the network may not have. */
interface Rule {
  readonly family: string;
  readonly code: number;
  /** Undefined: whatever the message. */
  readonly message?: RegExp;
  /** What leaves when no other node is left: the node's own words, or that none can serve. */
  readonly last: 'error' | 'unhealthy';
}

/** Everything not named here is a node's final answer. */
const rules: readonly Rule[] = [
  // Agave: the node is unhealthy; it has not reached the slot asked for.
  { family: 'svm', code: -32005, last: 'unhealthy' },
  { family: 'svm', code: -32016, last: 'error' },
  // EIP-1474 limit exceeded: a provider's rate limit, told with HTTP status 200.
  { family: 'evm', code: -32005, last: 'unhealthy' },
  // geth: the node is behind, or keeps no state that old.
  { family: 'evm', code: -32000, message: /^header not found/i, last: 'error' },
  { family: 'evm', code: -32000, message: /^missing trie node/i, last: 'error' },
];

/** Whether another node should be asked after this error. */
export function asksNext(family: string, error: NodeError): boolean {
  return ruleFor(family, error) !== undefined;
}

/** What an outcome becomes when no other node is left to ask. */
export function asLast(family: string, outcome: UpstreamOutcome): UpstreamOutcome {
  if (outcome.kind !== 'error') return outcome;
  return ruleFor(family, outcome.error)?.last === 'unhealthy'
    ? failure('unhealthy', `the node says ${outcome.error.code}`)
    : outcome;
}

function ruleFor(family: string, { code, message }: NodeError): Rule | undefined {
  return rules.find(
    (rule) => rule.family === family && rule.code === code && (rule.message?.test(message) ?? true),
  );
}
