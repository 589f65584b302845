import { expect, test } from 'vitest';
import { rowsOf } from '../../../generator/model/errors.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

const COUNT = 500;

test('the rows of all errors of a method are found in one pass over the catalog', async () => {
  const names = Array.from({ length: COUNT }, (_, index) => `E${index}`);
  const errors = Object.fromEntries(names.map((name, code) => [name, { code, message: name }]));
  const method = {
    ...methodOf('m', true),
    errors: names.map((name) => ({ $ref: `#/components/errors/${name}` })),
  };
  const model = await modelOf(documentOf([method], { components: { errors } }));
  let reads = 0;
  const counted = model.errors.map(
    (row) =>
      new Proxy(row, {
        get(target, key) {
          reads += 1;
          return Reflect.get(target, key);
        },
      }),
  );
  const counting = { ...model, errors: counted };
  const found = model.methods[0]!.errors.flatMap((error) => rowsOf(counting, error));
  expect(reads).toBeLessThan(COUNT * 10);
  expect(found.map(({ name }) => name)).toEqual(names);
});

test('a row has only an HTTP status that a final response can have', async () => {
  const statuses = [100, 101, 199, 200, 404, 599, 600, 404.5, -1, '404'];
  const rows = statuses.map((status, code) => ({ name: `E${code}`, code, message: '', status }));
  const { errors } = await modelOf(documentOf([methodOf('m', true)], { 'x-errors': rows }));
  const known = new Set<unknown>([200, 404, 599]);
  expect(errors.map(({ status }) => status)).toEqual(
    statuses.map((status) => (known.has(status) ? status : null)),
  );
});
