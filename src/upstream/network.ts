import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, type Clock } from '../time/clock.ts';
import { after as systemAfter, type After } from './after.ts';
import { composeCall } from './compose-call.ts';
import type { Observe } from './events.ts';
import { followMembers } from './follow-members.ts';
import { defaultUpstreamLimits, type UpstreamLimits } from './limits.ts';
import { Member, type MemberTerms } from './member.ts';
import { probes, type Family, type Head } from './probes.ts';
import type { BlockParams } from './routing/block-need.ts';
import type { BreakerState } from './routing/breaker.ts';
import { isBehind, lagOf } from './routing/heights.ts';
import { wholeResults, type StreamingUpstream, type Upstream } from './upstream.ts';

export interface NetworkOptions {
  readonly family: Family;
  /** Chain id or genesis hash; undefined: that of the first upstream to answer. */
  readonly identity: string | undefined;
  readonly upstreams: readonly MemberTerms[];
  /** Asked in place of the network's own upstreams, for calls that may be forwarded. */
  readonly partner?: MemberTerms;
  /** Where params name blocks; absent: in no method. */
  readonly blockParams?: BlockParams;
  /**
   * Blocks an upstream may be behind the highest one and still be asked for the newest state. When
   * absent, a few, and what the chain grows by between two probes.
   */
  readonly lag_blocks?: number;
  /** After how long a second upstream is asked beside a slow one; never when absent. */
  readonly hedge_after_ms?: number;
  /** What is not given here is as in `defaultUpstreamLimits`. */
  readonly limits?: Partial<UpstreamLimits>;
  readonly observe: Observe;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly after?: After;
}

/** A network's upstreams behind one function. */
export interface Network {
  /** Gives results whole. */
  readonly call: Upstream;
  /** Gives large results as streams to calls that ask for it. */
  readonly stream: StreamingUpstream;
  /** The newest head among fit upstreams; undefined when none is fit. */
  head(): Head | undefined;
  /** How each upstream stands, the partner last. */
  status(): readonly UpstreamStatus[];
  /** Begins to follow the upstreams; resolves when each has been asked once. */
  start(): Promise<void>;
  /** Stops following, gives calls under way `drain_ms` to end, and closes the upstreams. */
  stop(drain_ms?: number): Promise<void>;
}

export interface UpstreamStatus {
  readonly name: string;
  readonly isPartner: boolean;
  readonly tier: number;
  /** Of the partner always false: it is not followed, only asked. */
  readonly isFit: boolean;
  readonly breaker: BreakerState;
  readonly head: Head | undefined;
  readonly inFlight: number;
  readonly callsLeftToday: number | null;
}

const DRAIN_STEP_MS = 20;

/** Blocks, or slots, that upstreams of a family differ by without being behind. */
const usualLag: Readonly<Record<Family, number>> = { evm: 2, svm: 16 };

export function createNetwork(options: NetworkOptions): Network {
  const { family, observe, clock = systemClock, random = Math.random } = options;
  const limits: UpstreamLimits = { ...defaultUpstreamLimits, ...options.limits };
  const lag = {
    lag_blocks: options.lag_blocks ?? usualLag[family],
    grows: options.lag_blocks === undefined,
  };
  const enlist = (terms: MemberTerms, isPartner: boolean): Member =>
    new Member(terms, {
      isPartner,
      family,
      probes: probes[family],
      limits,
      clock,
      random,
      observe,
      lagOf: (height) => lagOf(height, members),
      isBehind: (member) => isBehind(member, members, { ...lag, now_ms: clock.monotonic_ms() }),
    });
  const members: readonly Member[] = options.upstreams.map((terms) => enlist(terms, false));
  const partner = options.partner === undefined ? undefined : enlist(options.partner, true);
  const everyone = partner === undefined ? members : [...members, partner];
  const call = composeCall(members, {
    ...options,
    partner,
    limits,
    clock,
    after: options.after ?? systemAfter,
  });
  const follower = followMembers(everyone, { family, identity: options.identity, limits });
  return {
    call: wholeResults(call),
    stream: call,
    head: () => newest(members),
    status: () => everyone.map(statusOf),
    start: () => follower.start(),
    async stop(drain_ms = 0) {
      await follower.stop();
      const ends_ms = clock.monotonic_ms() + drain_ms;
      while (everyone.some(({ inFlight }) => inFlight > 0) && clock.monotonic_ms() < ends_ms) {
        await wait(DRAIN_STEP_MS);
      }
      await Promise.all(everyone.map(({ terms }) => terms.upstream.close()));
    },
  };
}

function newest(members: readonly Member[]): Head | undefined {
  let best: Head | undefined;
  for (const { isFit, health } of members) {
    const { head } = health;
    if (isFit && head !== undefined && (best === undefined || head.number > best.number)) {
      best = head;
    }
  }
  return best;
}

function statusOf(member: Member): UpstreamStatus {
  const { name, isPartner, tier, isFit, breaker, health, inFlight, callsLeftToday } = member;
  return { name, isPartner, tier, isFit, breaker, head: health.head, inFlight, callsLeftToday };
}
