import { expect, it } from 'vitest';
import { createMarkFinder } from '../../../generator/model/marks.ts';
import type { Model } from '../../../generator/model/model.ts';

it('finds marks among more branches than a function takes arguments', () => {
  const findMarks = createMarkFinder({ schemas: new Map() } as unknown as Model, ['x-mark']);
  const marked = { type: 'string', 'x-mark': true };
  const plain = Array.from({ length: 200_000 }, (_, index) => ({ const: index }));
  expect(findMarks({ anyOf: [...plain, marked] }, '/0')).toEqual([
    { schema: marked, pointer: '/0', within: [] },
  ]);
});
