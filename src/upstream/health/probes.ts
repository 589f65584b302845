import { failure } from '../upstream.ts';
import type { Failure, StreamingOutcome, StreamingUpstream } from '../upstream.ts';

/** The latest block or slot of a node. */
export interface Head {
  readonly number: number;
  /** Of the latest block; null in families without one. */
  readonly gasLimit: bigint | null;
  /** The latest finalized block or slot; absent when the node does not report one. */
  readonly finalized?: number;
}

export type Family = 'evm' | 'svm';

/** The calls that show which chain a node serves and how far it is. */
export interface Probes {
  /** Returns the chain id (decimal) or genesis hash. */
  identity(upstream: StreamingUpstream, signal: AbortSignal): Promise<string | Failure>;
  head(upstream: StreamingUpstream, signal: AbortSignal): Promise<Head | Failure>;
  /** Returns the number of the latest finalized block; undefined when the node does not report it. */
  finalized(upstream: StreamingUpstream, signal: AbortSignal): Promise<number | undefined>;
}

const evm: Probes = {
  async identity(upstream, signal) {
    const chainId = await ask(upstream, 'eth_chainId', '[]', signal);
    return quantity(chainId)?.toString() ?? failureOf('eth_chainId', chainId);
  },
  async head(upstream, signal) {
    const block = await ask(upstream, 'eth_getBlockByNumber', '["latest",false]', signal);
    const number = quantity(memberOf(block, 'number'));
    const gasLimit = quantity(memberOf(block, 'gasLimit'));
    if (number === undefined || gasLimit === undefined) return failureOf('latest block', block);
    return { number: Number(number), gasLimit };
  },
  async finalized(upstream, signal) {
    const block = await ask(upstream, 'eth_getBlockByNumber', '["finalized",false]', signal);
    const number = quantity(memberOf(block, 'number'));
    return number === undefined ? undefined : Number(number);
  },
};

const svm: Probes = {
  async identity(upstream, signal) {
    const hash = await ask(upstream, 'getGenesisHash', '[]', signal);
    const isHash = typeof hash === 'string' && /^[1-9A-HJ-NP-Za-km-z]{1,64}$/.test(hash);
    return isHash ? hash : failureOf('getGenesisHash', hash);
  },
  async head(upstream, signal) {
    const health = await ask(upstream, 'getHealth', '[]', signal);
    if (health !== 'ok') return failureOf('getHealth', health);
    const slot = await ask(upstream, 'getSlot', '[{"commitment":"processed"}]', signal);
    return typeof slot === 'number' ? { number: slot, gasLimit: null } : failureOf('getSlot', slot);
  },
  async finalized(upstream, signal) {
    const slot = await ask(upstream, 'getSlot', '[{"commitment":"finalized"}]', signal);
    return typeof slot === 'number' ? slot : undefined;
  },
};

export const probes: Readonly<Record<Family, Probes>> = { evm, svm };

/** Why a probe got no result; a class, so that no JSON value can be taken for one. */
class ProbeFailure {
  readonly failure: Failure;

  constructor(outcome: Failure) {
    this.failure = outcome;
  }
}

/** Returns the parsed result, or a ProbeFailure. */
async function ask(
  upstream: StreamingUpstream,
  method: string,
  params: string,
  signal: AbortSignal,
): Promise<unknown> {
  const outcome = await upstream({ method, params: Buffer.from(params) }, signal);
  if (outcome.kind !== 'result') return new ProbeFailure(describe(method, outcome));
  return JSON.parse(outcome.result.toString()) as unknown;
}

/** How much of a node's error message is repeated in logs. */
const MAX_MESSAGE_CHARACTERS = 200;

function describe(method: string, outcome: Exclude<StreamingOutcome, { kind: 'result' }>): Failure {
  if (outcome.kind === 'stream') return failure('unhealthy', `${method}: unexpected stream`);
  if (outcome.kind === 'error') {
    const { code, message } = outcome.error;
    const text = message.slice(0, MAX_MESSAGE_CHARACTERS);
    return failure('unhealthy', `${method}: error ${code} ${text}`);
  }
  // The detail of a failed verification already names its call.
  const { cause, detail } = outcome;
  return failure(cause, cause === 'unhealthy' ? detail : `${method}: ${cause}: ${detail}`);
}

function failureOf(asked: string, answer: unknown): Failure {
  if (answer instanceof ProbeFailure) return answer.failure;
  return failure('unhealthy', `${asked}: unexpected answer`);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

function quantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : undefined;
}
