import type { StreamingOutcome, StreamingUpstream } from './upstream.ts';
import type { FailureCause } from './failure.ts';

/** The newest block or slot an upstream knows. */
export interface Head {
  readonly number: number;
  /** Of the newest block; null where the family has none. */
  readonly gasLimit: bigint | null;
  /** The newest block or slot that is final; absent when the node does not tell. */
  readonly finalized?: number;
}

/** How much of what a node says is repeated in logs. */
const WORDS = 200;

/** What one asks a node of a family to learn who and where it is. Each answer or a failure's words. */
export interface Probes {
  /** The chain's identity: chain id (decimal) or genesis hash. */
  identity(upstream: StreamingUpstream, signal: AbortSignal): Promise<string | ProbeFailure>;
  head(upstream: StreamingUpstream, signal: AbortSignal): Promise<Head | ProbeFailure>;
  /** Number of the newest block that is final; undefined when the node does not tell. */
  finalized(upstream: StreamingUpstream, signal: AbortSignal): Promise<number | undefined>;
}

export interface ProbeFailure {
  readonly trouble: string;
  /** `unhealthy` when there was an answer, but not the one a node gives. */
  readonly cause: FailureCause;
}

const evm: Probes = {
  async identity(upstream, signal) {
    const chainId = await ask(upstream, { method: 'eth_chainId', params: '[]' }, signal);
    return quantity(chainId)?.toString() ?? trouble('eth_chainId', chainId);
  },
  async head(upstream, signal) {
    const params = '["latest",false]';
    const block = await ask(upstream, { method: 'eth_getBlockByNumber', params }, signal);
    const number = quantity(memberOf(block, 'number'));
    const gasLimit = quantity(memberOf(block, 'gasLimit'));
    if (number === undefined || gasLimit === undefined) return trouble('the newest block', block);
    return { number: Number(number), gasLimit };
  },
  async finalized(upstream, signal) {
    const params = '["finalized",false]';
    const block = await ask(upstream, { method: 'eth_getBlockByNumber', params }, signal);
    const number = quantity(memberOf(block, 'number'));
    return number === undefined ? undefined : Number(number);
  },
};

const svm: Probes = {
  async identity(upstream, signal) {
    const hash = await ask(upstream, { method: 'getGenesisHash', params: '[]' }, signal);
    const isHash = typeof hash === 'string' && /^[1-9A-HJ-NP-Za-km-z]{1,64}$/.test(hash);
    return isHash ? hash : trouble('getGenesisHash', hash);
  },
  async head(upstream, signal) {
    const health = await ask(upstream, { method: 'getHealth', params: '[]' }, signal);
    if (health !== 'ok') return trouble('getHealth', health);
    const params = '[{"commitment":"processed"}]';
    const slot = await ask(upstream, { method: 'getSlot', params }, signal);
    return typeof slot === 'number' ? { number: slot, gasLimit: null } : trouble('getSlot', slot);
  },
  async finalized(upstream, signal) {
    const params = '[{"commitment":"finalized"}]';
    const slot = await ask(upstream, { method: 'getSlot', params }, signal);
    return typeof slot === 'number' ? slot : undefined;
  },
};

export type Family = 'evm' | 'svm';

export const probes: Readonly<Record<Family, Probes>> = { evm, svm };

/** The parsed result, or a ProbeFailure. */
async function ask(
  upstream: StreamingUpstream,
  { method, params }: { method: string; params: string },
  signal: AbortSignal,
): Promise<unknown> {
  const outcome = await upstream({ method, params: Buffer.from(params) }, signal);
  return outcome.kind === 'result'
    ? (JSON.parse(outcome.result.toString()) as unknown)
    : ({
        trouble: wordsFor(method, outcome),
        cause: outcome.kind === 'failure' ? outcome.cause : 'unhealthy',
      } satisfies ProbeFailure);
}

function wordsFor(method: string, outcome: Exclude<StreamingOutcome, { kind: 'result' }>): string {
  if (outcome.kind === 'stream') return `${method}: a stream`;
  if (outcome.kind === 'error') {
    const { code, message } = outcome.error;
    return `${method}: the node answers ${code} ${message.slice(0, WORDS)}`;
  }
  // An upstream that has not proved itself tells why by itself.
  return outcome.cause === 'unhealthy'
    ? outcome.detail
    : `${method}: ${outcome.cause}: ${outcome.detail}`;
}

function trouble(asked: string, answer: unknown): ProbeFailure {
  if (isFailure(answer)) return answer;
  return { trouble: `${asked} was not answered as expected`, cause: 'unhealthy' };
}

function isFailure(value: unknown): value is ProbeFailure {
  return memberOf(value, 'trouble') !== undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

function quantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : undefined;
}
