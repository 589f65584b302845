import type { Family, Probes } from '../probes.ts';
import type { StreamingUpstream } from '../upstream.ts';
import { failure, type Failure } from '../failure.ts';

const ANOTHER_CHAIN = 'it is of another chain';

/** Whether that is why an upstream is not fit to be asked. */
export function saysAnotherChain(detail: string): boolean {
  return detail.includes(ANOTHER_CHAIN);
}

/** Which chain a network is: as configured, or as the first of its upstreams to tell said. */
export class Identity {
  #identity: string | undefined;

  /** Chain id, decimal or hexadecimal, or genesis hash; undefined: not configured. */
  constructor(family: Family, configured: string | undefined) {
    const isHex = family === 'evm' && configured !== undefined && /^0x[0-9a-f]+$/i.test(configured);
    this.#identity = isHex ? BigInt(configured).toString() : configured;
  }

  /**
   * Asks an upstream which chain it is of, and compares; gives what is wrong, if anything. One that
   * may not `decide` is refused as long as the network's own chain is not known.
   */
  async prove(
    upstream: StreamingUpstream,
    { probes, signal, decides }: { probes: Probes; signal: AbortSignal; decides: boolean },
  ): Promise<Failure | undefined> {
    const claimed = await probes.identity(upstream, signal);
    if (signal.aborted) return failure('connection', 'the network has stopped');
    if (typeof claimed !== 'string') return failure(claimed.cause, claimed.trouble);
    if (this.#identity === undefined && !decides) {
      return failure('unhealthy', 'the chain of the network is not known');
    }
    this.#identity ??= claimed;
    if (claimed === this.#identity) return undefined;
    return failure('unhealthy', `${ANOTHER_CHAIN}: ${claimed}, not ${this.#identity}`);
  }
}
