import { expect, test } from 'vitest';
import { toOperation } from '../../../generator/convert/operation.ts';
import { compareMethodErrors } from '../../../generator/diff/compare/errors.ts';
import type { ErrorModel, MethodErrorModel, MethodModel } from '../../../generator/model/model.ts';
import { modelOf, documentOf, methodOf } from '../support/document.ts';

const COUNT = 1000;

test('many errors of a method are compared and converted in linear time', async () => {
  const [method] = (await modelOf(documentOf([methodOf('a', true)]))).methods as [MethodModel];
  let reads = 0;
  const errors = Array.from({ length: COUNT }, (_, index) => ({
    name: null,
    // Every code is declared twice.
    get code() {
      reads += 1;
      return index >> 1;
    },
    message: `message ${index}`,
    data: undefined,
  })) as unknown as readonly MethodErrorModel[];
  const declaring = { ...method, errors };
  expect(compareMethodErrors({ old: declaring, new: declaring } as never)).toEqual([]);
  const catalog = errors.map((each, index) => ({
    get code() {
      return each.code;
    },
    error: null,
    status: 400 + (index % 2),
  })) as unknown as readonly ErrorModel[];
  const { responses } = toOperation(declaring, { catalog, error: {}, convert: (schema) => schema });
  expect(Object.keys(responses as object)).toEqual(['200', '400', '401']);
  expect(reads).toBeLessThan(20 * COUNT);
});
