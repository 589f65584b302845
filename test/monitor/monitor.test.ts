import { describe, expect, it } from 'vitest';
import {
  createMonitor,
  type MonitorEvent,
  type MonitorOptions,
  withMonitor,
} from '../../src/monitor/monitor.ts';
import type { Violation } from '../../common/validators-runtime/violations.js';
import type { ResultStream, StreamingOutcome } from '../../src/upstream/upstream.ts';

/** A number is a violation at its place; everything else is well. */
function numbersAreWrong(value: unknown, pointer = ''): readonly Violation[] {
  if (typeof value === 'number') {
    return [
      { pointer, param: null, keyword: 'type', expected: 'a string', message: 'must be a string' },
    ];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) =>
    numbersAreWrong(child, `${pointer}/${name}`),
  );
}

interface Bench {
  readonly events: MonitorEvent[];
  readonly tasks: { delay_ms: number; task: () => void }[];
  now_ms: number;
  /** How long a check takes. */
  check_ms: number;
  offer(text: string, method?: string, upstream?: string): void;
  /** Runs what is due next. */
  run(): void;
  pass(method?: string): void;
  stop(): void;
}

function bench(overrides: Partial<MonitorOptions> = {}): Bench {
  const events: MonitorEvent[] = [];
  const tasks: Bench['tasks'] = [];
  const rig: Bench = {
    events,
    tasks,
    now_ms: 0,
    check_ms: 1,
    offer: (text, method = 'eth_x', upstream = 'node-0') =>
      monitor.offer({ method, upstream, result: Buffer.from(text) }),
    pass: (method = 'eth_x') => monitor.pass({ method, upstream: 'node-0' }),
    run: () => tasks.shift()?.task(),
    stop: () => monitor.stop(),
  };
  const monitor = createMonitor({
    checks: {
      eth_x(value) {
        rig.now_ms += rig.check_ms;
        return numbersAreWrong(value);
      },
    },
    share: 1,
    redact: (result) => result,
    observe: (event) => events.push(event),
    monotonic_ms: () => rig.now_ms,
    after(delay_ms, task) {
      const entry = { delay_ms, task };
      tasks.push(entry);
      return () => void tasks.splice(tasks.indexOf(entry), 1);
    },
    ...overrides,
  });
  return rig;
}

describe('the contract monitor', () => {
  it('reports upstream, method and pointer of violations, later', () => {
    const rig = bench();
    rig.offer('{"a":["x",7]}');
    rig.offer('"fine"');
    expect(rig.events).toEqual([]);
    rig.run();
    expect(rig.events).toMatchObject([
      {
        kind: 'violation',
        upstream: 'node-0',
        method: 'eth_x',
        violations: [{ pointer: '/a/1', keyword: 'type' }],
        isRepeat: false,
      },
      { kind: 'checked', upstream: 'node-0', method: 'eth_x' },
    ]);
  });

  it('checks a result that violates the document again without its secrets', () => {
    const redact = (text: string) => (text.includes('many') ? undefined : text.replace('s', 'x'));
    const rig = bench({ redact });
    for (const text of ['{"s":1}', '{"many":1}', '{"s":"s"}']) rig.offer(text);
    rig.run();
    expect(rig.events).toMatchObject([
      { kind: 'violation', violations: [{ pointer: '/x' }] },
      { kind: 'skipped', reason: 'not_checkable' },
      { kind: 'checked' },
    ]);
  });

  it('samples the configured share of results', () => {
    const draws = [0.1, 0.6, 0.49, 0.5];
    const rig = bench({ share: 0.5, random: () => draws.shift()! });
    for (let index = 0; index < 4; index += 1) rig.offer('1');
    rig.run();
    expect(rig.events).toHaveLength(2);
  });

  it('skips results that are too large, without schema, or do not fit into the queue', () => {
    const rig = bench({ limits: { sample_bytes: 10, queued_samples: 2, queued_bytes: 15 } });
    rig.offer(`"${'x'.repeat(10)}"`);
    rig.offer('1', 'eth_unknown');
    rig.offer('"12345678"');
    rig.offer('"12345678"');
    rig.offer('1');
    rig.offer('1');
    expect(
      rig.events.map((event) => (event.kind === 'skipped' ? event.reason : event.kind)),
    ).toEqual(['too_large', 'no_schema', 'queue_full', 'queue_full']);
    rig.run();
    rig.offer('1');
    rig.run();
    expect(rig.events.filter(({ kind }) => kind !== 'skipped')).toHaveLength(3);
  });

  it('works in slices and pauses to take at most its share of time', () => {
    const rig = bench({ limits: { slice_ms: 5, duty: 0.1 } });
    rig.check_ms = 2;
    for (let index = 0; index < 7; index += 1) rig.offer('"x"');
    expect(rig.tasks.map(({ delay_ms }) => delay_ms)).toEqual([0]);
    rig.run();
    expect(rig.events).toHaveLength(3);
    expect(rig.tasks.map(({ delay_ms }) => delay_ms)).toEqual([54]);
    rig.run();
    rig.run();
    expect(rig.events).toHaveLength(7);
    expect(rig.tasks).toEqual([]);
  });

  it('marks repeated violations of an upstream, at any list index', () => {
    const rig = bench({ limits: { repeat_ms: 1_000, remembered: 2 } });
    const repeats = (): boolean[] =>
      rig.events.flatMap((event) => (event.kind === 'violation' ? [event.isRepeat] : []));
    rig.offer('[["x",1]]');
    rig.offer('["x",[2,"x"]]');
    rig.offer('[1]');
    rig.offer('[["x",1]]', 'eth_x', 'node-1');
    rig.run();
    expect(repeats()).toEqual([false, true, false, false]);
    rig.now_ms += 1_000;
    rig.offer('[["x",1]]', 'eth_x', 'node-1');
    rig.run();
    expect(repeats().at(-1)).toBe(false);
  });

  it('survives a check that throws', () => {
    const rig = bench({
      checks: {
        eth_x() {
          throw new RangeError('too deep');
        },
      },
    });
    rig.offer('1');
    rig.run();
    expect(rig.events).toMatchObject([{ kind: 'skipped', reason: 'not_checkable' }]);
  });

  it('checks nothing once stopped', () => {
    const rig = bench();
    rig.offer('1');
    rig.stop();
    rig.offer('1');
    expect(rig.tasks).toEqual([]);
    expect(rig.events).toEqual([]);
  });
});

describe('a result that passes as a stream', () => {
  it('is counted as too large, by the sampled share, if the document has a schema', () => {
    const rig = bench();
    rig.pass();
    rig.pass('eth_unknown');
    expect(rig.events).toEqual([
      { kind: 'skipped', method: 'eth_x', upstream: 'node-0', reason: 'too_large' },
    ]);
    const half = bench({ share: 0.5, random: () => 0.7 });
    half.pass();
    expect(half.events).toEqual([]);
  });
});

describe('withMonitor', () => {
  it('offers whole results with the name of their upstream, and returns every outcome', async () => {
    const offered: object[] = [];
    const passed: object[] = [];
    const monitor = {
      offer: (sample: object) => offered.push(sample),
      pass: (passing: object) => passed.push(passing),
      stop: () => undefined,
    };
    const stream = { ended: new Promise<never>(() => undefined) } as unknown as ResultStream;
    const outcomes: StreamingOutcome[] = [
      { kind: 'result', result: Buffer.from('1'), by: { name: 'node-3', isPartner: false } },
      { kind: 'stream', stream, by: { name: 'node-4', isPartner: false } },
      { kind: 'error', error: { code: 3, message: '' } },
      { kind: 'failure', cause: 'timeout', detail: '' },
    ];
    const upstream = withMonitor(async () => outcomes.shift()!, monitor);
    const call = { method: 'eth_x', params: Buffer.from('[]') };
    for (const expected of outcomes.slice()) {
      expect(await upstream(call, new AbortController().signal)).toBe(expected);
    }
    expect(offered).toEqual([{ method: 'eth_x', upstream: 'node-3', result: Buffer.from('1') }]);
    expect(passed).toEqual([{ method: 'eth_x', upstream: 'node-4' }]);
  });
});
