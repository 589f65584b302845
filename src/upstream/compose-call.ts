import type { Clock } from '../time/clock.ts';
import type { After } from './after.ts';
import type { Observe } from './events.ts';
import type { UpstreamLimits } from './limits.ts';
import type { Member } from './member.ts';
import { asLast } from './node-errors.ts';
import type { Family } from './probes.ts';
import { blockNeed, type BlockParams } from './routing/block-need.ts';
import { demandOf } from './routing/heights.ts';
import { routeOver } from './routing/route.ts';
import type { StreamingUpstream, UpstreamCall } from './upstream.ts';
import { failure } from './failure.ts';
import { withForwarding } from './with-forwarding.ts';

export interface CallOptions {
  readonly family: Family;
  readonly partner: Member | undefined;
  readonly blockParams?: BlockParams;
  readonly hedge_after_ms?: number;
  readonly limits: UpstreamLimits;
  readonly observe: Observe;
  readonly clock: Clock;
  readonly after: After;
}

const UNAVAILABLE = failure('none', 'the partner cannot be asked now');

/** The members of a network as one upstream, and the partner behind them. */
export function composeCall(members: readonly Member[], options: CallOptions): StreamingUpstream {
  const { family, partner, limits, clock, observe, after } = options;
  const { blockParams = {}, hedge_after_ms } = options;
  const monotonic_ms = (): number => clock.monotonic_ms();
  const { call_deadline_ms, partner_ms } = limits;
  const mayForward = (call: UpstreamCall): boolean =>
    partner !== undefined && call.forwarding === 'included';
  const own = routeOver(members, {
    family,
    most_tries: limits.most_tries,
    deadlineOf: (call) =>
      mayForward(call) ? Math.max(1, call_deadline_ms - partner_ms) : call_deadline_ms,
    hedge_after_ms,
    demandOf: (call) => ({
      ...demandOf(blockNeed(blockParams, call), members, {
        height_memory_ms: limits.height_memory_ms,
        now_ms: monotonic_ms(),
      }),
      account: call.account,
    }),
    monotonic_ms,
    after,
    onRetry: ({ name }, { method }, cause) =>
      observe({ kind: 'retry', upstream: name, method, cause }),
    onHedge: ({ name }, { method }) => observe({ kind: 'hedge', upstream: name, method }),
  });
  if (partner === undefined) return own;
  return withForwarding(own, {
    observe,
    async partner(call, signal) {
      if (!partner.isOpen(call.account)) return UNAVAILABLE;
      return asLast(family, await partner.ask(call, signal, partner_ms));
    },
  });
}
