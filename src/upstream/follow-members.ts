import { every, type Periodic } from '../time/periodic.ts';
import { Identity } from './health/identity.ts';
import type { UpstreamLimits } from './limits.ts';
import type { Member } from './member.ts';
import type { Guard } from './opened.ts';
import { probes, type Family } from './probes.ts';
import { withTimeout } from './with-timeout.ts';

export interface FollowOptions {
  readonly family: Family;
  readonly identity: string | undefined;
  readonly limits: UpstreamLimits;
}

export interface Follower {
  /** Opens the members' connections and begins to follow them; resolves when each was asked once. */
  start(): Promise<void>;
  /** Resolves when no probe is under way any more. */
  stop(): Promise<void>;
}

/** Keeps to what members say of themselves: who they are, at each dial, and where, ever again. */
export function followMembers(
  members: readonly Member[],
  { family, identity, limits }: FollowOptions,
): Follower {
  const chain = new Identity(family, identity);
  const stopping = new AbortController();
  const { signal } = stopping;
  const guardOf = ({ health, isPartner }: Member): Guard => ({
    prove: (upstream) =>
      chain.prove(withTimeout(upstream, limits.probe_ms), {
        probes: probes[family],
        signal,
        decides: !isPartner,
      }),
    onReady(isReady, detail) {
      if (isPartner || signal.aborted) return;
      if (!isReady) health.lose(detail);
      else if (isStarted) void health.check(signal);
    },
  });
  let isStarted = false;
  const following: Periodic[] = [];
  const follow = async (member: Member): Promise<void> => {
    const { terms, health, isPartner } = member;
    await terms.upstream.start(guardOf(member));
    if (isPartner) return;
    await health.check(signal);
    if (signal.aborted) return;
    const interval_ms = terms.probe_interval_ms ?? limits.probe_interval_ms;
    const check = async (): Promise<void> => {
      if (!member.isResting) await health.check(signal);
    };
    following.push(every(interval_ms, check, (error) => health.lose(String(error))));
  };
  return {
    async start() {
      await Promise.all(members.map(follow));
      isStarted = true;
    },
    async stop() {
      stopping.abort();
      await Promise.all(following.map((periodic) => periodic.stop()));
    },
  };
}
