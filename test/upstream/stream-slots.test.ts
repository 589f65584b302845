import { expect, it } from 'vitest';
import { StreamSlots } from '../../src/upstream/http/stream-slots.ts';

it('an account that uses all slots of a node leaves the reserved ones to others', () => {
  const slots = new StreamSlots(8);
  const takeAll = (account: string): (() => void)[] => {
    const taken: (() => void)[] = [];
    while (slots.isFree(account)) taken.push(slots.take(account));
    return taken;
  };
  const first = takeAll('a');
  const [second, third] = [takeAll('b'), takeAll('c')];
  expect([first, second, third].map(({ length }) => length)).toEqual([8, 4, 2]);
  first.pop()?.();
  expect(takeAll('d')).toHaveLength(2);
});

it('an account below its share gets all of it from the reserved slots', () => {
  const slots = new StreamSlots(64);
  for (let stream = 0; stream < 64; stream += 1) slots.take('a');
  let streams = 0;
  for (; slots.isFree('b'); streams += 1) slots.take('b');
  expect(streams).toBe(32);
});
