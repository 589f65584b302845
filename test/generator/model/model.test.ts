import { expect, test } from 'vitest';
import { valueAt } from '../../../common/json/pointer.ts';
import { hardDocument } from '../support/hard-document.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

test('references to descriptors, errors, tags and examples are followed', async () => {
  const model = await modelOf(hardDocument);
  const method = model.methods.find(({ name }) => name === 'referring');
  expect(method).toMatchObject({
    deprecated: true,
    tags: [{ name: 'old' }, { name: 'own' }],
    params: [{ name: 'event', required: true, schema: { type: 'string' } }],
    result: { name: 'event', schema: { type: 'string' } },
    errors: [
      { name: 'Busy', code: -32010, message: 'busy' },
      { name: null, code: 7, message: 'own error' },
    ],
    examples: [
      {
        name: 'one',
        params: [{ name: 'event', value: { $ref: 'data, not a reference' } }],
        result: { name: 'r', value: 'x' },
      },
    ],
  });
});

test('a method without a result is a notification', async () => {
  const model = await modelOf(hardDocument);
  expect(model.methods.find(({ name }) => name === 'notify')?.result).toBeNull();
});

test('a method without paramStructure takes its parameters either way', async () => {
  const { methods } = await modelOf(documentOf([{ name: 'a', params: [] }]));
  expect(methods[0]?.paramStructure).toBe('either');
});

test('every pointer leads to what it is the pointer of', async () => {
  const model = await modelOf(hardDocument);
  for (const method of model.methods) {
    expect(valueAt(model.document, method.pointer)).toMatchObject({ name: method.name });
    for (const param of method.params) {
      expect(valueAt(model.document, param.pointer)).toMatchObject({ name: param.name });
    }
    for (const error of method.errors) {
      expect(valueAt(model.document, error.pointer)).toMatchObject({ code: error.code });
    }
  }
  for (const { pointer, schema } of model.schemas.values()) {
    expect(valueAt(model.document, pointer)).toBe(schema);
  }
});

test('the Model cannot be changed', async () => {
  const model = await modelOf(documentOf([methodOf('a', { type: 'string' })]));
  expect(Object.isFrozen(model.methods[0]?.params[0]?.schema)).toBe(true);
  expect(Object.isFrozen(model.document)).toBe(true);
});

test('errors are the rows of x-errors, then the components, then what methods declare', async () => {
  const row = { name: 'TooBig', error: 'Limit', code: -32005, reason: 'too_big', message: 'big' };
  const error = { code: 7, message: 'out of coffee' };
  const { errors } = await modelOf(
    documentOf(
      [
        { ...methodOf('a', true), errors: [error, { $ref: '#/components/errors/Busy' }] },
        { ...methodOf('b', true), errors: [error] },
      ],
      {
        'x-errors': [{ ...row, data: { type: 'object' } }, 'of another vendor'],
        components: {
          errors: {
            Limit: { code: -32005, message: 'limit' },
            Busy: { code: -32010, message: 'busy' },
          },
        },
      },
    ),
  );
  expect(errors.map(({ name, error, code, reason }) => ({ name, error, code, reason }))).toEqual([
    { name: 'TooBig', error: 'Limit', code: -32005, reason: 'too_big' },
    { name: 'Busy', error: 'Busy', code: -32010, reason: null },
    { name: 'OutOfCoffee', error: null, code: 7, reason: null },
  ]);
  expect(errors[0]?.data).toEqual({ type: 'object' });
});
