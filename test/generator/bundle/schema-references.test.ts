import { describe, expect, test } from 'vitest';
import { loadModel } from '../../../generator/document.ts';
import { documentOf, methodOf, problemsOf, readerOf, type Document } from '../support/document.ts';

const components = {
  schemas: {
    A: {
      type: 'object',
      default: { type: 'string' },
      examples: [{ type: 'string' }],
      properties: { b: { type: 'string' }, 'x-c': { type: 'string' }, default: { type: 'string' } },
      definitions: { D: { items: [{ type: 'string' }] } },
      'x-own': { E: { type: 'string' } },
    },
  },
  contentDescriptors: { C: { name: 'c', schema: { type: 'string' } } },
  errors: { Failed: { code: 1, message: 'failed', data: { type: 'string' } } },
  tags: { T: { name: 't' } },
  examples: { Sample: { name: 'sample', value: { type: 'string' } } },
  'x-schemas': { X: { type: 'string' } },
};

const more = {
  components,
  'x-errors': [{ name: 'Failed', code: 2, message: 'm', data: { type: 'string' } }],
};

function documentWith($ref: string): Document {
  return documentOf([methodOf('a', { $ref }), methodOf('b', { type: 'string' })], more);
}

describe('a reference in a schema', () => {
  test.each([
    '#/info',
    '#/methods/1',
    '#/methods/1/params/0',
    '#/methods/1/result',
    '#/components',
    '#/components/schemas',
    '#/components/schemas/A/properties',
    '#/components/schemas/A/definitions',
    '#/components/schemas/A/default',
    '#/components/schemas/A/examples/0',
    '#/components/contentDescriptors/C',
    '#/components/errors/Failed',
    '#/components/errors/Failed/data',
    '#/components/tags/T',
    '#/components/examples/Sample/value',
    '#/x-errors/0',
    'other.json#/methods/1',
    'other.json',
  ])('is refused if it points to %s, which is not a schema', async ($ref) => {
    const files = {
      'doc.json': documentWith($ref),
      'other.json': { ...documentWith('#/components/schemas/A'), definitions: { Own: true } },
    };
    const [problem, ...others] = await problemsOf(files);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      pointer: '/methods/0/params/0/schema',
      message: `the reference "${$ref}" does not resolve to a JSON Schema`,
      fix: expect.stringMatching(/^correct the \$ref, or add the schema it names$/) as unknown,
    });
  });

  test.each([
    '#/methods/1/params/0/schema',
    '#/components/schemas/A',
    '#/components/schemas/A/properties/b',
    '#/components/schemas/A/properties/x-c',
    '#/components/schemas/A/properties/default',
    '#/components/schemas/A/definitions/D',
    '#/components/schemas/A/definitions/D/items/0',
    '#/components/schemas/A/x-own/E',
    '#/components/contentDescriptors/C/schema',
    '#/components/x-schemas/X',
    '#/x-errors/0/data',
    'other.json#/components/schemas/A',
    'other.json#/definitions/Own',
    'part.json',
    'part.json#/parts/P',
  ])('may point to %s', async ($ref) => {
    const files = {
      'doc.json': documentWith($ref),
      'other.json': { ...documentWith('#/components/schemas/A'), definitions: { Own: true } },
      'part.json': { type: 'object', parts: { P: { type: 'string' } } },
    };
    await expect(loadModel('doc.json', readerOf(files))).resolves.toBeDefined();
  });
});
