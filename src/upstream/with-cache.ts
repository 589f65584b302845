import { CHECKED_BYTES } from '../json/object-scanner.ts';
import { rangeAt } from '../json/ranges.ts';
import type { CancelSignal } from '../time/cancellation.ts';
import type { StartTimer } from '../time/timer.ts';
import type { CacheServer } from './cache-server.ts';
import type { Observe } from './events.ts';
import type { ResultCache } from './result-cache.ts';
import type { NodeAnswer, StreamingOutcome, StreamingUpstream, UpstreamCall } from './upstream.ts';

/** When the result of a method no longer changes (`x-immutable`). */
export interface Immutability {
  /** Where to find the number of the block that has to be final; null: every result is final. */
  readonly block: { readonly in: 'params' | 'result'; readonly pointer: string } | null;
}

/** How a network avoids calls to its nodes. */
export interface CacheRules {
  /** Returns when results of the method may be cached; undefined: never. */
  readonly immutabilityOf: (method: string) => Immutability | undefined;
  /** Whether identical calls of the method share one upstream call. */
  readonly isShared: (method: string) => boolean;
  /**
   * Whether the method can return this result. A wrong response affects one call or, if it is cached, all
   * that follow.
   */
  readonly isValid: (method: string, result: Buffer) => boolean;
}

export interface CacheOptions extends CacheRules {
  readonly cache: ResultCache;
  /** Where calls that are not in memory are looked up; undefined: nowhere. */
  readonly server?: CacheServer | undefined;
  /**
   * Returns the newest block that all nodes have finalized; undefined when a healthy node has not reported
   * one.
   */
  readonly finalized: () => number | undefined;
  /** Returns the newest block; calls share an answer only if it was the same when both arrived. */
  readonly head: () => number | undefined;
  /** Whether the answer to an identical call may also be the answer to this call. */
  readonly mayShare: (call: UpstreamCall, answer: NodeAnswer) => boolean;
  readonly monotonic_ms: () => number;
  readonly startTimer: StartTimer;
  readonly observe: Observe;
}

/** A call whose result is cached if its block is final. */
interface CacheableCall {
  readonly key: string;
  readonly immutability: Immutability;
  /** The newest final block before the call was sent. */
  readonly final: number;
  /** How many times the cache had been cleared before the call was sent. */
  readonly clears: number;
}

interface SharedRequest {
  readonly call: UpstreamCall;
  readonly signal: CancelSignal;
  /** Its method and params. */
  readonly key: string;
  /** Which calls may share it: the key, of one account or of all. */
  readonly name: string;
}

/** A call in flight that identical calls may share. */
class SharedCall {
  readonly #call: UpstreamCall;
  readonly #head: number | undefined;
  #waiting: ((answer: NodeAnswer | undefined) => void)[] | undefined;
  readonly #waitingAccounts: Set<string>;
  /** When it was sent; until then, the call may wait in the queue of its account. */
  #sentAt_ms: number | undefined;
  readonly #monotonic_ms: () => number;

  constructor(call: UpstreamCall, head: number | undefined, monotonic_ms: () => number) {
    this.#monotonic_ms = monotonic_ms;
    this.#call = call;
    this.#head = head;
    this.#waitingAccounts = new Set([call.account ?? '']);
    call.waitingAccounts = this.#waitingAccounts;
    call.onSent = () => void (this.#sentAt_ms = monotonic_ms());
  }

  /** Whether its answer is so late that it may never come: others should not wait for it. */
  get isOverdue(): boolean {
    return this.#left_ms <= 0;
  }

  /** How long others wait for its answer. */
  get #left_ms(): number {
    const now_ms = this.#monotonic_ms();
    return (this.#sentAt_ms ?? now_ms) + MAX_SHARED_MS - now_ms;
  }

  /** Whether a call with the same params would get the same answer. */
  fits({ forwarding, streams }: UpstreamCall, head: number | undefined): boolean {
    const { forwarding: isForwarded, streams: isStreamed } = this.#call;
    return isForwarded === forwarding && isStreamed === streams && this.#head === head;
  }

  /** Whether a call would get its answer no later: calls of a batch wait in the same queue. */
  isAsSoonFor({ batch }: UpstreamCall): boolean {
    return this.#sentAt_ms !== undefined || (batch !== undefined && this.#call.batch === batch);
  }

  /** Resolves to undefined if the call ends without an answer to share. */
  wait({ account = '' }: UpstreamCall): Promise<NodeAnswer | undefined> {
    this.#waitingAccounts.add(account);
    return new Promise((resolve) => (this.#waiting ??= []).push(resolve));
  }

  /** Resolves to undefined, too, if the call takes too long. */
  waitBriefly(call: UpstreamCall, startTimer: StartTimer): Promise<NodeAnswer | undefined> {
    return new Promise((resolve) => {
      const stop = startTimer(this.#left_ms, () => resolve(undefined));
      void this.wait(call).then((answer) => {
        stop();
        return resolve(answer);
      });
    });
  }

  /** A stream has one reader, and a failure may be due to the account: neither is shared. */
  end(outcome: StreamingOutcome): void {
    const isAnswer = outcome.kind === 'result' || outcome.kind === 'error';
    for (const answer of this.#waiting ?? []) answer(isAnswer ? outcome : undefined);
  }
}

/**
 * How long after a call was sent identical calls wait for its answer, before they are sent themselves: it may
 * be at a slower node than theirs would be.
 */
const MAX_SHARED_MS = 1_000;

/** Calls with larger params are neither cached nor shared. */
const MAX_PARAMS_BYTES = 4_096;

const NULL = Buffer.from('null');

/**
 * Answers calls from the cache or together with an identical call in flight. Calls are identical if
 * they have the same method and, as sent to nodes, the same params.
 *
 * A result is cached if its block was final on every node before the call was sent, so no
 * reorganization can replace it.
 */
export function withCache(upstream: StreamingUpstream, options: CacheOptions): StreamingUpstream {
  const { cache, server, immutabilityOf, isShared, isValid, finalized, observe } = options;
  const shared = new Map<string, SharedCall>();
  /** Calls that have waited for a shared call in vain and were sent, by account too. */
  const repeated = new Map<string, SharedCall>();

  /** Caches the result of a call if it is final. */
  const keep = (
    sent: Promise<StreamingOutcome>,
    { method, params, account }: UpstreamCall,
    { key, immutability, final, clears }: CacheableCall,
  ): Promise<StreamingOutcome> => {
    if (!cache.isMissedAgain(key)) return sent;
    return sent.then((outcome) => {
      if (outcome.kind !== 'result' || outcome.by?.isPartner === true) return outcome;
      if (cache.clears !== clears) return outcome;
      if (!isFinal(immutability, params, outcome.result, final)) return outcome;
      if (!isValid(method, outcome.result)) return outcome;
      cache.set(key, outcome, account);
      server?.set(key, outcome.result);
      return outcome;
    });
  };

  const lookUp = async (
    from: CacheServer,
    call: UpstreamCall,
    cacheable: CacheableCall & { readonly signal: CancelSignal },
  ): Promise<StreamingOutcome> => {
    const { key, signal, clears } = cacheable;
    const { method } = call;
    const result = await from.get(key);
    if (result === null) observe({ kind: 'cache', method, outcome: 'unavailable' });
    const isUsable = cache.clears === clears && result && isValid(method, result);
    if (!isUsable) return keep(upstream(call, signal), call, cacheable);
    observe({ kind: 'cache', method, outcome: 'server' });
    const outcome = { kind: 'result', result } as const;
    cache.set(key, outcome, call.account);
    return outcome;
  };

  const send = (
    call: UpstreamCall,
    signal: CancelSignal,
    key: string,
  ): Promise<StreamingOutcome> => {
    const immutability = immutabilityOf(call.method);
    const final = immutability === undefined ? undefined : finalized();
    if (immutability === undefined || final === undefined) return upstream(call, signal);
    const cacheable = { key, immutability, final, clears: cache.clears };
    if (server !== undefined) return lookUp(server, call, { ...cacheable, signal });
    return keep(upstream(call, signal), call, cacheable);
  };

  const lead = (
    leaders: Map<string, SharedCall>,
    { call, signal, key, name }: SharedRequest,
  ): Promise<StreamingOutcome> => {
    const own = new SharedCall(call, options.head(), options.monotonic_ms);
    leaders.set(name, own);
    return send(call, signal, key).then((outcome) => {
      if (leaders.get(name) === own) leaders.delete(name);
      own.end(outcome);
      return outcome;
    });
  };

  const isShareable = (call: UpstreamCall, answer: NodeAnswer | undefined): answer is NodeAnswer =>
    answer !== undefined && options.mayShare(call, answer);

  const countShared = ({ method }: UpstreamCall): void =>
    observe({ kind: 'cache', method, outcome: 'shared' });

  const join = async (other: SharedCall, request: SharedRequest): Promise<StreamingOutcome> => {
    const { call, signal, key } = request;
    const { startTimer, monotonic_ms } = options;
    const started_ms = monotonic_ms();
    const answer = await other.waitBriefly(call, startTimer);
    if (isShareable(call, answer)) {
      countShared(call);
      return answer;
    }
    const late = { ...call, waited_ms: monotonic_ms() - started_ms };
    // All calls that have waited would be sent at once, so an account sends one of its own.
    const name = `${call.account ?? ''}\n${key}`;
    const own = repeated.get(name);
    if (own?.fits(call, options.head()) !== true) {
      return lead(repeated, { call: late, signal, key, name });
    }
    const ownAnswer = await own.wait(call);
    if (isShareable(call, ownAnswer)) {
      countShared(call);
      return ownAnswer;
    }
    return send({ ...call, waited_ms: monotonic_ms() - started_ms }, signal, key);
  };

  return (call, signal) => {
    const { method, params } = call;
    const isCacheable = immutabilityOf(method) !== undefined;
    if (params.length > MAX_PARAMS_BYTES) return upstream(call, signal);
    if (!isCacheable && !isShared(method)) return upstream(call, signal);
    const key = `${method} ${params.toString('latin1')}`;
    if (isCacheable && finalized() !== undefined) {
      const hit = cache.get(key);
      observe({ kind: 'cache', method, outcome: hit === undefined ? 'miss' : 'hit' });
      if (hit !== undefined) return Promise.resolve(hit);
    }
    if (!isShared(method)) return send(call, signal, key);
    const other = shared.get(key);
    const request = { call, signal, key, name: key };
    if (other === undefined || other.isOverdue) return lead(shared, request);
    const isJoined = other.fits(call, options.head()) && other.isAsSoonFor(call);
    return isJoined ? join(other, request) : send(call, signal, key);
  };
}

/** Whether a result can no longer change, given the newest final block before its call was sent. */
function isFinal(
  { block }: Immutability,
  params: Buffer,
  result: Buffer,
  finalized: number,
): boolean {
  // The syntax of larger results is not known to be valid.
  if (result.length > CHECKED_BYTES || result.equals(NULL)) return false;
  if (block === null) return true;
  const source = block.in === 'params' ? params : result;
  const range = rangeAt(source, block.pointer);
  if (range === undefined) return false;
  const number = blockNumber(source.toString('latin1', range.start, range.end));
  return number !== undefined && number <= finalized;
}

/** Reads a number or a quantity from JSON text; undefined for tags, hashes and null. */
function blockNumber(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return /^"0x[\da-f]{1,13}"$/i.test(text) ? Number(text.slice(1, -1)) : undefined;
}
