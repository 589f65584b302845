import type { CancelSignal } from '../../time/cancellation.ts';
import { failure, type Failure, type StreamingUpstream } from '../upstream.ts';
import type { Family, Probes } from './probes.ts';

const WRONG_CHAIN = 'wrong chain: ';

/** Whether a node is unhealthy because it serves another chain. */
export function isWrongChain(detail: string): boolean {
  return detail.startsWith(WRONG_CHAIN);
}

/** The chain of a network: the configured one, or that of the first node to respond. */
export class ChainIdentity {
  #identity: string | undefined;

  /** Takes a chain id, decimal or hexadecimal, or a genesis hash; undefined: not configured. */
  constructor(family: Family, configured: string | undefined) {
    const isHex = family === 'evm' && configured !== undefined && /^0x[0-9a-f]+$/i.test(configured);
    this.#identity = isHex ? BigInt(configured).toString() : configured;
  }

  /** The chain id (decimal) or genesis hash; undefined until it is known. */
  get value(): string | undefined {
    return this.#identity;
  }

  /**
   * Returns why a node does not belong to the chain, or undefined if it does. While the chain of the
   * network is unknown, a node is rejected unless it `decides` the chain.
   */
  async verify(
    upstream: StreamingUpstream,
    { probes, signal, decides }: { probes: Probes; signal: CancelSignal; decides: boolean },
  ): Promise<Failure | undefined> {
    const actual = await probes.identity(upstream, signal);
    if (signal.aborted) return failure('connection', 'the network was stopped');
    if (typeof actual !== 'string') return actual;
    if (this.#identity === undefined && !decides) {
      return failure('unhealthy', 'the chain of the network is not known yet');
    }
    this.#identity ??= actual;
    if (actual === this.#identity) return undefined;
    return failure('unhealthy', `${WRONG_CHAIN}expected ${this.#identity}, got ${actual}`);
  }
}
