import type { Upstream, UpstreamOutcome } from './upstream.ts';

/** The newest block or slot an upstream knows. */
export interface Head {
  readonly number: number;
  /** Of the newest block; null where the family has none. */
  readonly gasLimit: bigint | null;
}

/** What one asks a node of a family to learn who and where it is. Each answer or a failure's words. */
export interface Probes {
  /** The chain's identity: chain id (decimal) or genesis hash. */
  identity(upstream: Upstream, signal: AbortSignal): Promise<string | ProbeFailure>;
  head(upstream: Upstream, signal: AbortSignal): Promise<Head | ProbeFailure>;
}

export interface ProbeFailure {
  readonly trouble: string;
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
};

const svm: Probes = {
  async identity(upstream, signal) {
    const hash = await ask(upstream, { method: 'getGenesisHash', params: '[]' }, signal);
    return typeof hash === 'string' ? hash : trouble('getGenesisHash', hash);
  },
  async head(upstream, signal) {
    const health = await ask(upstream, { method: 'getHealth', params: '[]' }, signal);
    if (health !== 'ok') return trouble('getHealth', health);
    const params = '[{"commitment":"processed"}]';
    const slot = await ask(upstream, { method: 'getSlot', params }, signal);
    return typeof slot === 'number' ? { number: slot, gasLimit: null } : trouble('getSlot', slot);
  },
};

export type Family = 'evm' | 'svm';

export const probes: Readonly<Record<Family, Probes>> = { evm, svm };

/** The parsed result, or a ProbeFailure. */
async function ask(
  upstream: Upstream,
  { method, params }: { method: string; params: string },
  signal: AbortSignal,
): Promise<unknown> {
  const outcome = await upstream({ method, params: Buffer.from(params) }, signal);
  return outcome.kind === 'result'
    ? (JSON.parse(outcome.result.toString()) as unknown)
    : ({ trouble: `${method}: ${wordsFor(outcome)}` } satisfies ProbeFailure);
}

function wordsFor(outcome: Exclude<UpstreamOutcome, { kind: 'result' }>): string {
  return outcome.kind === 'error'
    ? `the node answers ${outcome.error.code} ${outcome.error.message}`
    : `${outcome.cause}: ${outcome.detail}`;
}

function trouble(asked: string, answer: unknown): ProbeFailure {
  const known = memberOf(answer, 'trouble');
  return { trouble: typeof known === 'string' ? known : `${asked} was not answered as expected` };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

function quantity(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : undefined;
}
