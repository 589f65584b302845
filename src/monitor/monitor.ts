import type { CancelSignal } from '../time/cancellation.ts';
import type { Violation } from '../../common/validators-runtime/violations.js';
import { startTimer, type StartTimer } from '../time/timer.ts';
import type { StreamingOutcome, UpstreamCall } from '../upstream/upstream.ts';

const defaultMonitorLimits = Object.freeze({
  /** Larger results are not checked. */
  sample_bytes: 1_048_576,
  queued_samples: 64,
  queued_bytes: 8_388_608,
  /** How long results are checked before other tasks run. */
  slice_ms: 5,
  /** Maximum fraction of time spent on checks. */
  duty: 0.1,
  /** How long an equal violation counts as a repetition. */
  repeat_ms: 600_000,
  /** Maximum number of remembered violations; the oldest are dropped. */
  remembered: 1_000,
});

type MonitorLimits = { readonly [Name in keyof typeof defaultMonitorLimits]: number };

export interface MonitorOptions {
  /** By method. */
  readonly checks: Readonly<Record<string, CheckResult>>;
  /** Fraction of results that is sampled, 0 to 1. */
  readonly share: number;
  /** Removes secrets from a result (JSON text) that messages may quote; returns undefined if it cannot. */
  readonly redact: (result: string) => string | undefined;
  readonly limits?: Partial<MonitorLimits>;
  readonly observe: (event: MonitorEvent) => void;
  readonly random?: () => number;
  readonly monotonic_ms?: () => number;
  readonly after?: StartTimer;
}

/** Validates live results against the document, in the background. */
export interface Monitor {
  /** Samples a result, which is checked later and must not be modified. */
  offer(sample: Sample): void;
  /** Counts a result that is too large to check. */
  pass(passing: Omit<Sample, 'result'>): void;
  stop(): void;
}

export function createMonitor(options: MonitorOptions): Monitor {
  const { checks, share, redact, observe, random = Math.random } = options;
  const { monotonic_ms = () => performance.now(), after = startTimer } = options;
  const limits: MonitorLimits = { ...defaultMonitorLimits, ...options.limits };
  const repeats = new Repeats(limits, monotonic_ms);
  const queue: Sample[] = [];
  let queued_bytes = 0;
  let cancel: (() => void) | undefined;
  let isStopped = false;

  const refuse = ({ method, result }: Sample): 'too_large' | 'queue_full' | 'no_schema' | null => {
    if (checks[method] === undefined) return 'no_schema';
    if (result.length > limits.sample_bytes) return 'too_large';
    const isFull =
      queue.length >= limits.queued_samples || queued_bytes + result.length > limits.queued_bytes;
    return isFull ? 'queue_full' : null;
  };
  const check = (sample: Sample): void => {
    const { method, upstream } = sample;
    const violations = violationsOf(checks[method], sample.result.toString(), redact);
    if (violations === undefined) {
      return observe({ kind: 'skipped', method, upstream, reason: 'not_checkable' });
    }
    if (violations.length === 0) return observe({ kind: 'checked', method, upstream });
    const unseen = violations.filter((violation) => !repeats.has(nameOf(sample, violation)));
    const isRepeat = unseen.length === 0;
    return observe({ kind: 'violation', method, upstream, violations, isRepeat });
  };
  const work = (): void => {
    const started_ms = monotonic_ms();
    let spent_ms = 0;
    while (spent_ms < limits.slice_ms) {
      const sample = queue.shift();
      if (sample === undefined) break;
      queued_bytes -= sample.result.length;
      check(sample);
      spent_ms = monotonic_ms() - started_ms;
    }
    cancel = queue.length === 0 ? undefined : after(pauseAfter(spent_ms, limits.duty), work);
  };
  return {
    offer(sample) {
      if (isStopped || random() >= share) return;
      const reason = refuse(sample);
      if (reason !== null) {
        const { method, upstream } = sample;
        return observe({ kind: 'skipped', method, upstream, reason });
      }
      queue.push(sample);
      queued_bytes += sample.result.length;
      cancel ??= after(pauseAfter(0, limits.duty), work);
    },
    pass({ method, upstream }) {
      if (isStopped || checks[method] === undefined || random() >= share) return;
      observe({ kind: 'skipped', method, upstream, reason: 'too_large' });
    },
    stop() {
      isStopped = true;
      cancel?.();
      queue.length = 0;
    },
  };
}

/**
 * Returns undefined if the result cannot be checked or quoted, or if the check itself throws: the monitor must
 * not affect calls.
 */
function violationsOf(
  check: CheckResult | undefined,
  result: string,
  redact: MonitorOptions['redact'],
): readonly Violation[] | undefined {
  try {
    const violations = check?.(JSON.parse(result));
    if (violations === undefined || violations.length === 0) return violations;
    const shown = redact(result);
    if (shown === result) return violations;
    return shown === undefined ? undefined : check?.(JSON.parse(shown));
  } catch {
    return undefined;
  }
}

/** Returns how long to pause so that checks take at most the fraction `duty` of the time. */
function pauseAfter(spent_ms: number, duty: number): number {
  return Math.ceil(spent_ms * (1 / duty - 1));
}

/** Names a violation regardless of list indices. */
function nameOf({ upstream, method }: Sample, { pointer, keyword }: Violation): string {
  return [upstream, method, keyword, pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')].join(' ');
}

/** A result of an upstream. */
export interface Sample {
  readonly method: string;
  readonly upstream: string;
  /** JSON text. */
  readonly result: Buffer;
}

/** Validates a result against the document. */
type CheckResult = (result: unknown) => readonly Violation[];

/** The outcome of a sample. */
export type MonitorEvent = Omit<Sample, 'result'> &
  (
    | { readonly kind: 'checked' }
    | {
        readonly kind: 'violation';
        /** At least one. */
        readonly violations: readonly Violation[];
        /** Whether all of them were seen recently at this upstream: count them, but do not log. */
        readonly isRepeat: boolean;
      }
    | {
        readonly kind: 'skipped';
        readonly reason: 'too_large' | 'queue_full' | 'no_schema' | 'not_checkable';
      }
  );

/** Offers results of an upstream to a monitor; streamed results are only counted. */
export function withMonitor<O extends StreamingOutcome>(
  send: (call: UpstreamCall, signal: CancelSignal) => Promise<O>,
  monitor: Monitor,
): (call: UpstreamCall, signal: CancelSignal) => Promise<O> {
  return (call, signal) =>
    send(call, signal).then((outcome) => {
      if (outcome.kind === 'error' || outcome.kind === 'failure') return outcome;
      const { method } = call;
      const upstream = outcome.by?.name ?? '';
      if (outcome.kind === 'result') monitor.offer({ method, upstream, result: outcome.result });
      else monitor.pass({ method, upstream });
      return outcome;
    });
}

/** Remembers logged violations, so that one node does not flood the log. */
class Repeats {
  readonly #limits: MonitorLimits;
  readonly #monotonic_ms: () => number;
  readonly #logged_ms = new Map<string, number>();

  constructor(limits: MonitorLimits, monotonic_ms: () => number) {
    this.#limits = limits;
    this.#monotonic_ms = monotonic_ms;
  }

  /** Whether the violation was seen within the last `repeat_ms`; remembers it. */
  has(violation: string): boolean {
    const now_ms = this.#monotonic_ms();
    const last_ms = this.#logged_ms.get(violation);
    if (last_ms !== undefined && now_ms - last_ms < this.#limits.repeat_ms) return true;
    this.#logged_ms.delete(violation);
    this.#logged_ms.set(violation, now_ms);
    const [oldest] = this.#logged_ms.keys();
    if (this.#logged_ms.size > this.#limits.remembered && oldest !== undefined) {
      this.#logged_ms.delete(oldest);
    }
    return false;
  }
}
