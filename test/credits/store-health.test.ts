import { describe, expect, it } from 'vitest';
import { StoreHealth } from '../../src/credits/store-health.ts';

type Event =
  | 'failed'
  | 'answered'
  | 'answered late'
  | 'quiet'
  | 'unread'
  | 'read'
  | 'served'
  | 'refused'
  | 'refused at the same time';

function after(events: readonly Event[]): StoreHealth {
  let now_ms = 0;
  const health = new StoreHealth({ store_wait_ms: 2_000, monotonic_ms: () => now_ms });
  const duration_ms = 10;
  const happen: Record<Event, () => void> = {
    failed: () => health.onOperation({ name: 'renewLeases', hasFailed: true, duration_ms }),
    answered: () => health.onOperation({ name: 'renewLeases', hasFailed: false, duration_ms }),
    'answered late': () =>
      health.onOperation({ name: 'renewLeases', hasFailed: false, duration_ms: 2_500 }),
    quiet: () => (now_ms += 11_000),
    unread: () => health.onOperation({ name: 'readChanges', hasFailed: true, duration_ms }),
    read: () => health.onOperation({ name: 'readChanges', hasFailed: false, duration_ms }),
    served: () => health.onServed(),
    refused: () => {
      now_ms += 1_000;
      health.onRefused();
    },
    'refused at the same time': () => health.onRefused(),
  };
  for (const event of events) happen[event]();
  return health;
}

const times = (count: number, event: Event): readonly Event[] => Array(count).fill(event);

const cases: readonly {
  readonly name: string;
  readonly events: readonly Event[];
  /** With a lease that can be spent, and without. */
  readonly isDown: readonly [boolean, boolean];
}[] = [
  { name: 'nothing', events: [], isDown: [false, false] },
  { name: 'one failure', events: ['failed'], isDown: [false, false] },
  { name: 'two failures in a row', events: ['failed', 'failed'], isDown: [false, true] },
  {
    name: 'two failures with an answer between',
    events: ['failed', 'answered', 'failed'],
    isDown: [false, false],
  },
  {
    name: 'writes that fail while reads succeed',
    events: ['failed', 'read', 'failed', 'read'],
    isDown: [false, true],
  },
  { name: 'reads that fail', events: ['unread', 'unread'], isDown: [false, true] },
  {
    name: 'two calls refused while an operation hangs',
    events: ['refused', 'refused'],
    isDown: [false, true],
  },
  { name: 'a call refused and a failure', events: ['refused', 'failed'], isDown: [false, true] },
  {
    name: 'refused calls with one served between',
    events: [...times(4, 'refused'), 'served', 'refused'],
    isDown: [false, false],
  },
  {
    name: 'five refused calls, whatever other accounts hold',
    events: times(5, 'refused'),
    isDown: [true, true],
  },
  {
    name: 'many calls refused after one operation',
    events: ['refused', ...times(20, 'refused at the same time')],
    isDown: [false, false],
  },
  {
    name: 'a call served once all were refused',
    events: [...times(5, 'refused'), 'served'],
    isDown: [true, true],
  },
  {
    name: 'an answer once all were refused',
    events: [...times(5, 'refused'), 'failed', 'failed', 'answered'],
    isDown: [false, false],
  },
  {
    name: 'calls refused before each answer, because all come too late',
    events: ['refused', 'answered late', 'refused', 'answered late'],
    isDown: [false, true],
  },
  {
    name: 'a late answer once all were refused',
    events: [...times(5, 'refused'), 'answered late'],
    isDown: [true, true],
  },
  {
    name: 'calls that are all refused, each before a late answer, while other accounts hold leases',
    events: times(5, 'refused').flatMap((refused) => [refused, 'answered late']),
    isDown: [true, true],
  },
  {
    name: 'calls that are all refused, with ten seconds between them',
    events: times(5, 'refused').flatMap((refused) => ['quiet', refused, 'answered late']),
    isDown: [true, true],
  },
  {
    name: 'a call served before any answer once all were refused late',
    events: [...times(4, 'refused'), 'answered late', 'refused', 'served'],
    isDown: [true, true],
  },
  {
    name: 'late answers that serve later calls',
    events: [...times(5, 'refused'), 'answered late', 'served'],
    isDown: [false, false],
  },
  {
    name: 'a late answer and ten seconds without calls',
    events: ['refused', 'refused', 'answered late', 'quiet'],
    isDown: [false, false],
  },
  {
    name: 'a failure and ten seconds without calls',
    events: ['refused', 'failed', 'quiet'],
    isDown: [false, true],
  },
];

describe('the health of the store', () => {
  it.each(cases)('after $name', ({ events, isDown }) => {
    const health = after(events);
    expect([health.isDown(true), health.isDown(false)]).toEqual(isDown);
  });

  it('ignores operations that calls do not need', () => {
    const health = new StoreHealth({ store_wait_ms: 2_000, monotonic_ms: () => 0 });
    for (let failure = 0; failure < 3; failure += 1) {
      health.onOperation({ name: 'listUsage', hasFailed: true, duration_ms: 10 });
    }
    expect(health.isDown(false)).toBe(false);
  });
});
