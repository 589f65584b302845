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
  readonly isOut: readonly [boolean, boolean];
}[] = [
  { name: 'nothing', events: [], isOut: [false, false] },
  { name: 'one failure', events: ['failed'], isOut: [false, false] },
  { name: 'two failures in a row', events: ['failed', 'failed'], isOut: [false, true] },
  {
    name: 'two failures with an answer between',
    events: ['failed', 'answered', 'failed'],
    isOut: [false, false],
  },
  {
    name: 'writes that fail while reads succeed',
    events: ['failed', 'read', 'failed', 'read'],
    isOut: [false, true],
  },
  { name: 'reads that fail', events: ['unread', 'unread'], isOut: [false, true] },
  {
    name: 'two calls refused while an operation hangs',
    events: ['refused', 'refused'],
    isOut: [false, true],
  },
  { name: 'a call refused and a failure', events: ['refused', 'failed'], isOut: [false, true] },
  {
    name: 'refused calls with one served between',
    events: [...times(19, 'refused'), 'served', 'refused'],
    isOut: [false, false],
  },
  {
    name: 'twenty refused calls, whatever other accounts hold',
    events: times(20, 'refused'),
    isOut: [true, true],
  },
  {
    name: 'a call served once all were refused',
    events: [...times(20, 'refused'), 'served'],
    isOut: [true, true],
  },
  {
    name: 'an answer once all were refused',
    events: [...times(20, 'refused'), 'failed', 'failed', 'answered'],
    isOut: [false, false],
  },
];

describe('the health of the store', () => {
  it.each(cases)('after $name', ({ events, isOut }) => {
    const health = after(events);
    expect([health.isOut(true), health.isOut(false)]).toEqual(isOut);
  });

  it('does not depend on operations that no call needs', () => {
    const health = new StoreHealth();
    for (let failure = 0; failure < 3; failure += 1) {
      health.onOperation({ name: 'listUsage', hasFailed: true });
    }
    expect(health.isOut(false)).toBe(false);
  });
});
