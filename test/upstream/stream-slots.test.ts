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

it('an account has its share from the part on that each account would get', () => {
  const slots = new StreamSlots(8);
  for (let stream = 0; stream < 5; stream += 1) slots.take('a');
  expect(slots.hasShare('a')).toBe(false);
  for (let stream = 0; stream < 3; stream += 1) slots.take('b');
  expect(['a', 'b', 'c'].map((account) => slots.hasShare(account))).toEqual([true, false, false]);
});
