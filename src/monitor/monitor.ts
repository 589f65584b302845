import type { Violation } from '../../common/validators-runtime/violations.js';
import { Repeats, type RepeatLimits } from './repeats.ts';
import type { CheckResult, MonitorEvent, Sample } from './sample.ts';

export const defaultMonitorLimits = Object.freeze({
  /** Of a result; larger ones are not checked. */
  sample_bytes: 1_048_576,
  queued_samples: 64,
  queued_bytes: 8_388_608,
  /** How long results are checked before other work gets its turn. */
  slice_ms: 5,
  /** Of all time, how much may go into checking. */
  duty: 0.1,
  repeat_ms: 600_000,
  remembered: 1_000,
});

export type MonitorLimits = RepeatLimits & {
  readonly [Name in keyof typeof defaultMonitorLimits]: number;
};

export interface MonitorOptions {
  /** By method. */
  readonly checks: Readonly<Record<string, CheckResult>>;
  /** Of all results, how many are sampled: 0 none, 1 all. */
  readonly share: number;
  readonly limits?: Partial<MonitorLimits>;
  readonly observe: (event: MonitorEvent) => void;
  readonly random?: () => number;
  readonly monotonic_ms?: () => number;
  /** Calls a task once after some time, unless the function given back is called before. */
  readonly after?: (delay_ms: number, task: () => void) => () => void;
}

/** Holds live results to the document, apart from the calls they answer. */
export interface Monitor {
  /** Takes a result, or leaves it, at once; it is checked later, and must not be changed. */
  offer(sample: Sample): void;
  /** A result passed that is too large to be looked at. */
  pass(passing: Omit<Sample, 'result'>): void;
  /** Checks nothing more. */
  stop(): void;
}

export function createMonitor(options: MonitorOptions): Monitor {
  const { checks, share, observe, random = Math.random } = options;
  const { monotonic_ms = () => performance.now(), after = unreferenced } = options;
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
    const violations = violationsOf(checks[method], sample.result);
    if (violations === undefined) {
      return observe({ kind: 'skipped', method, upstream, reason: 'not_checkable' });
    }
    if (violations.length === 0) return observe({ kind: 'checked', method, upstream });
    const news = violations.filter((violation) => !repeats.has(nameOf(sample, violation)));
    return observe({
      kind: 'violation',
      method,
      upstream,
      violations,
      isRepeat: news.length === 0,
    });
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
    cancel = queue.length === 0 ? undefined : after(restAfter(spent_ms, limits.duty), work);
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
      cancel ??= after(restAfter(0, limits.duty), work);
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

/** Undefined when the check itself fails: a monitor must not end what it watches. */
function violationsOf(
  check: CheckResult | undefined,
  result: Buffer,
): readonly Violation[] | undefined {
  try {
    return check?.(JSON.parse(result.toString()));
  } catch {
    return undefined;
  }
}

/** How long to rest so that work takes no more than its share of time. */
function restAfter(spent_ms: number, duty: number): number {
  return Math.ceil(spent_ms * (1 / duty - 1));
}

/** A violation wherever in a list it occurs. */
function nameOf({ upstream, method }: Sample, { pointer, keyword }: Violation): string {
  return [upstream, method, keyword, pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')].join(' ');
}

function unreferenced(delay_ms: number, task: () => void): () => void {
  const timer = setTimeout(task, delay_ms).unref();
  return () => clearTimeout(timer);
}
