/** A cache before a node whose answers the test chooses. */
import { NEVER } from '../../src/time/cancellation.ts';
import { clearOnReset, ResultCache } from '../../src/upstream/result-cache.ts';
import type { UpstreamEvent } from '../../src/upstream/events.ts';
import {
  type NodeAnswer,
  type StreamingOutcome,
  type UpstreamCall,
} from '../../src/upstream/upstream.ts';
import { withCache, type CacheOptions, type Immutability } from '../../src/upstream/with-cache.ts';
import { callOf } from './support.ts';

const BY = { name: 'node', isPartner: false };

export function resultOf(text: string, by = BY): NodeAnswer {
  return { kind: 'result', result: Buffer.from(text), by };
}

const byResult: Immutability = { block: { in: 'result', pointer: '/number' } };
export const byParam: Immutability = { block: { in: 'params', pointer: '/0' } };

export interface Rig {
  ask(call?: UpstreamCall): Promise<StreamingOutcome>;
  /** Asks twice for the same, with this result. */
  askTwice(result: string): Promise<void>;
  /** Answers the oldest call that waits for the node. */
  answer(outcome: StreamingOutcome): void;
  /** Answers all calls that wait for the node. */
  answerRest(outcome: StreamingOutcome): void;
  /** Calls the node has received. */
  readonly received: UpstreamCall[];
  readonly cache: ResultCache;
  readonly outcomes: string[];
  finalized: number | undefined;
  head: number;
  now_ms: number;
  /** Ends the wait of calls that share another one. */
  passTime(): void;
}

export function rig(overrides: Partial<CacheOptions> = {}, isSent = true): Rig {
  const waiting: ((outcome: StreamingOutcome) => void)[] = [];
  const timers = new Set<() => void>();
  const cache = new ResultCache(100_000);
  const events: UpstreamEvent[] = [];
  const received: UpstreamCall[] = [];
  const upstream = withCache(
    (call) => {
      received.push(call);
      if (isSent) call.onSent?.();
      return new Promise((resolve) => waiting.push(resolve));
    },
    {
      cache,
      immutabilityOf: () => byResult,
      isShared: () => false,
      isValid: () => true,
      finalized: clearOnReset([cache], () => self.finalized),
      head: () => self.head,
      mayShare: () => true,
      monotonic_ms: () => self.now_ms,
      startTimer: (_, task) => {
        timers.add(task);
        return () => timers.delete(task);
      },
      observe: (event) => events.push(event),
      ...overrides,
    },
  );
  const self: Rig = {
    ask: (call = callOf('eth_test', '["0x1"]')) => upstream(call, NEVER),
    async askTwice(result) {
      for (let round = 0; round < 2; round += 1) {
        const asked = self.ask();
        self.answer(resultOf(result));
        await asked;
      }
    },
    answer: (outcome) => waiting.shift()!(outcome),
    answerRest: (outcome) => waiting.splice(0).forEach((answer) => answer(outcome)),
    received,
    cache,
    get outcomes() {
      return events.map((event) => (event.kind === 'cache' ? event.outcome : event.kind));
    },
    finalized: 100,
    head: 120,
    now_ms: 0,
    passTime: () => timers.forEach((task) => task()),
  };
  return self;
}
