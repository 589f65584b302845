import { describe, expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { validatorsOf } from '../support/render.ts';

describe('a violation has a pointer, the expected and the actual value', () => {
  async function messagesFor(schema: unknown, value: unknown, schemas = {}) {
    const { validateParams } = await validatorsOf(
      documentOf([methodOf('m', schema)], { components: { schemas } }),
    );
    return validateParams['m']!([value]).map(({ message }) => message);
  }
  const described = {
    type: 'string',
    pattern: '^0x',
    description: 'A hash: `0x` and digits. More.',
  };
  const shapes = {
    oneOf: [
      {
        type: 'object',
        properties: { size: { type: 'integer' } },
        required: ['size'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          at: { type: 'object', properties: { offset: { type: 'integer' } }, required: ['offset'] },
        },
        required: ['at'],
        additionalProperties: false,
      },
    ],
  };

  test.each<[string, unknown, unknown, readonly string[]]>([
    [
      'in the words of x-expected',
      { type: 'string', 'x-expected': 'a name' },
      1,
      ['value: expected a name, got 1'],
    ],
    [
      'in the words of the description',
      described,
      'zz',
      ['value: expected a hash: 0x and digits, got "zz"'],
    ],
    [
      'and of the keyword',
      { type: 'integer', minimum: 3, title: 'Size' },
      1,
      ['value: expected at least 3 (size), got 1'],
    ],
    [
      'and not in those of a title, which need not be a sentence with it',
      { type: 'string', pattern: '^0x', title: 'To address' },
      'zz',
      ['value: expected a string matching ^0x (to address), got "zz"'],
    ],
    [
      'and of alternatives that have a title',
      { title: 'Block', oneOf: [{ type: 'integer' }, { const: 'latest' }] },
      true,
      ['value: expected an integer or "latest" (block), got true'],
    ],
    [
      'with the path',
      { properties: { 'a/b': { items: { type: 'null' } } } },
      { 'a/b': [null, 1] },
      ['value.a/b[1]: expected null, got 1'],
    ],
    ['naming a member that is missing', { required: ['a'] }, {}, ['value.a: missing']],
    [
      'suggesting the nearest known member',
      { properties: { encoding: true }, additionalProperties: false },
      { encodng: 1 },
      ['value.encodng: unknown; did you mean "encoding"?'],
    ],
    [
      'suggesting the nearest allowed value',
      { enum: ['array', 'object', 'string'] },
      'strng',
      ['value: expected one of "array", "object", "string", got "strng"; did you mean "string"?'],
    ],
    [
      'suggesting the nearest allowed value of all branches',
      { anyOf: [{ enum: ['latest', 'earliest'] }, { const: 'pending' }, { type: 'array' }] },
      'pendin',
      [
        'value: expected one of "latest", "earliest", or "pending", or an array, got "pendin"; ' +
          'did you mean "pending"?',
      ],
    ],
    [
      'suggesting no value for one that is like none of those allowed',
      { enum: ['latest', 'earliest'] },
      'zz',
      ['value: expected one of "latest", "earliest", got "zz"'],
    ],
    [
      'listing the members there are',
      { properties: { a: true, b: true }, additionalProperties: false },
      { other: 1 },
      ['value.other: unknown; expected one of the members a, b'],
    ],
    [
      'of the branch that was meant',
      shapes,
      { at: { offset: '1' } },
      ['value.at.offset: expected an integer, got "1"'],
    ],
    [
      'of the branch that fits best',
      shapes,
      { size: 1, more: 1 },
      ['value.more: unknown; expected one of the members size'],
    ],
    [
      'of the choice when no branch is nearer',
      { ...shapes, description: 'A filter.' },
      {},
      ['value: expected a filter, got an object'],
    ],
    [
      'of all branches when they are simple',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      1,
      ['value: expected a string or null, got 1'],
    ],
    [
      'of a discriminating constant',
      {
        oneOf: [
          { properties: { kind: { const: 'a' }, n: { type: 'null' } } },
          { properties: { kind: { const: 'b' }, n: { type: 'string' } } },
        ],
      },
      { kind: 'b', n: 1 },
      ['value.n: expected a string, got 1'],
    ],
    [
      'not repeating what "if" says',
      { if: true, then: { required: ['a'] } },
      {},
      ['value.a: missing'],
    ],
    [
      'of all that is wrong',
      { properties: { a: { type: 'null' }, b: { type: 'null' } } },
      { a: 1, b: 2 },
      ['value.a: expected null, got 1', 'value.b: expected null, got 2'],
    ],
    [
      'shortening what is long',
      { const: 1 },
      'x'.repeat(99),
      [`value: expected 1, got "${'x'.repeat(40)}…"`],
    ],
  ])('%s', async (_, schema, value, messages) => {
    expect(await messagesFor(schema, value)).toEqual(messages);
  });

  test('at a pointer of RFC 6901 from the params', async () => {
    const { validateParams } = await validatorsOf(
      documentOf([methodOf('m', { properties: { 'a/b~c': { type: 'null' } } })]),
    );
    expect(validateParams['m']!([{ 'a/b~c': 1 }])[0]?.pointer).toBe('/0/a~1b~0c');
  });
});
