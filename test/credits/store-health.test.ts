import { describe, expect, it } from 'vitest';
import { StoreHealth } from '../../src/credits/store-health.ts';

type Event = 'failed' | 'answered' | 'unread' | 'read' | 'served' | 'refused';

function after(events: readonly Event[]): StoreHealth {
  const health = new StoreHealth();
  const happen: Record<Event, () => void> = {
    failed: () => health.onOperation({ name: 'renewLeases', hasFailed: true }),
    answered: () => health.onOperation({ name: 'renewLeases', hasFailed: false }),
    unread: () => health.onOperation({ name: 'readChanges', hasFailed: true }),
    read: () => health.onOperation({ name: 'readChanges', hasFailed: false }),
    served: () => health.onServed(),
    refused: () => health.onRefused(),
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
    events: [...times(19, 'refused'), 'served', 'refused'],
    isDown: [false, false],
  },
  {
    name: 'twenty refused calls, whatever other accounts hold',
    events: times(20, 'refused'),
    isDown: [true, true],
  },
  {
    name: 'a call served once all were refused',
    events: [...times(20, 'refused'), 'served'],
    isDown: [true, true],
  },
  {
    name: 'an answer once all were refused',
    events: [...times(20, 'refused'), 'failed', 'failed', 'answered'],
    isDown: [false, false],
  },
];

describe('the health of the store', () => {
  it.each(cases)('after $name', ({ events, isDown }) => {
    const health = after(events);
    expect([health.isDown(true), health.isDown(false)]).toEqual(isDown);
  });

  it('ignores operations that calls do not need', () => {
    const health = new StoreHealth();
    for (let failure = 0; failure < 3; failure += 1) {
      health.onOperation({ name: 'listUsage', hasFailed: true });
    }
    expect(health.isDown(false)).toBe(false);
  });
});
