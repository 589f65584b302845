import { expect, test } from 'vitest';
import { shortenEnums } from '../../../generator/validation/shorten-enums.ts';

const objects = Array.from({ length: 501 }, (_, id) => ({ id, tags: ['a', id] }));

test('a long list of different objects becomes its first value', () => {
  expect(shortenEnums({ enum: objects })).toEqual({ enum: [objects[0]] });
});

test('a long list with equal objects becomes two of them, whatever the order of members', () => {
  const again = { tags: ['a', 7], id: 7 };
  expect(shortenEnums({ enum: [...objects, again] })).toEqual({ enum: [objects[7], again] });
});
