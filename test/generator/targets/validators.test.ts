import { describe, expect, test } from 'vitest';
import type { Schema } from '../../../common/json/value.ts';
import { createAjv } from '../../../generator/violations/create-ajv.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { hardDocument } from '../support/hard-document.ts';
import { render, validatorsOf, type Violation } from '../support/render.ts';

describe('JSON Schema draft-07, keyword by keyword', () => {
  const cases: readonly [string, unknown, readonly unknown[], readonly unknown[]][] = [
    ['type', { type: ['string', 'null'] }, ['a', null], [1, {}, []]],
    ['integer', { type: 'integer' }, [1, 1.0, -3, 2 ** 60], [1.5, '1', null]],
    ['enum', { enum: ['a', { b: [1, { c: 2 }] }] }, ['a', { b: [1, { c: 2 }] }], ['b', { b: [1] }]],
    ['const', { const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }, null]],
    ['pattern', { pattern: '^0x' }, ['0x1', 1], ['1']],
    ['a pattern that Unicode mode refuses', { pattern: '^\\-$' }, ['-'], ['a']],
    ['minLength in characters', { minLength: 2 }, ['😀😀', 1], ['😀', '']],
    ['maximum', { maximum: 3, exclusiveMinimum: 1 }, [2, 3, 'a'], [1, 4]],
    ['multipleOf', { multipleOf: 0.5 }, [1.5], [1.2]],
    ['items', { items: { type: 'string' } }, [[], ['a'], 'a'], [['a', 1]]],
    [
      'items as a tuple',
      { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
      [[], ['a'], ['a', 1]],
      [[1], ['a', 1, 1]],
    ],
    [
      'additionalItems',
      { items: [true], additionalItems: { type: 'null' } },
      [[1], [1, null]],
      [[1, 1]],
    ],
    [
      'uniqueItems',
      { uniqueItems: true },
      [[1, '1', { a: 1 }], [{ a: 1, b: 2 }]],
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    ['contains', { contains: { const: 1 } }, [[0, 1]], [[], [0]]],
    ['required', { required: ['a'] }, [{ a: null }, 1], [{}]],
    [
      'required of an inherited name',
      { required: ['toString'], properties: { constructor: { type: 'string' } } },
      [{ toString: 1 }],
      [{}, { toString: 1, constructor: 1 }],
    ],
    [
      'additionalProperties',
      { properties: { a: true }, additionalProperties: false },
      [{}, { a: 1 }],
      [{ b: 1 }],
    ],
    [
      'patternProperties',
      { patternProperties: { '^x': { type: 'null' } }, additionalProperties: false },
      [{ x1: null }],
      [{ x1: 1 }, { y: null }],
    ],
    ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
    [
      'dependencies',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      [{}, { a: 1, b: 1 }, { c: 1, d: 1 }],
      [{ a: 1 }, { c: 1 }],
    ],
    [
      'if, then, else',
      { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
      [{ a: 1, b: 1 }, { c: 1 }],
      [{ a: 1 }, {}],
    ],
    ['not', { not: { type: 'string' } }, [1], ['a']],
    ['allOf', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
    ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 2 }] }, ['a', 2], [1]],
    ['oneOf', { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 1]],
    ['boolean schemas', { properties: { yes: true, no: false } }, [{ yes: 1 }], [{ no: 1 }]],
    [
      'keywords beside a reference, which draft-07 ignores',
      { $ref: '#/components/schemas/Text', minLength: 99 },
      ['a'],
      [1],
    ],
    [
      'a property called __proto__',
      JSON.parse(
        '{"properties": {"__proto__": {"type": "string"}}, "additionalProperties": false}',
      ),
      [{}, JSON.parse('{"__proto__": "a"}')],
      [JSON.parse('{"__proto__": 1}'), { other: 1 }],
    ],
    ['an unknown format', { format: 'phone number' }, ['anything'], []],
    ['base58', { format: 'base58' }, ['abc', ''], ['0', 'l']],
    ['base64', { format: 'base64' }, ['YWI=', ''], ['YWI', '*']],
    [
      'solana-public-key',
      { format: 'solana-public-key' },
      ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', '1'.repeat(32)],
      [
        '1'.repeat(31),
        '1'.repeat(33),
        'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D0',
        'z'.repeat(44),
        '',
      ],
    ],
  ];

  test.each(cases)('%s', async (_, schema, accepted, refused) => {
    const { validateParams, validateResult } = await validatorsOf(
      documentOf([methodOf('m', schema, schema)], {
        components: { schemas: { Text: { type: 'string' } } },
      }),
    );
    for (const value of accepted) {
      expect(validateParams['m']!([value]), JSON.stringify(value)).toEqual([]);
      expect(validateResult['m']!(value), JSON.stringify(value)).toEqual([]);
    }
    for (const value of refused) {
      expect(validateParams['m']!([value]), JSON.stringify(value)).not.toEqual([]);
      expect(validateResult['m']!(value), JSON.stringify(value)).not.toEqual([]);
    }
  });
});

describe('params are validated as a whole', () => {
  const params = [
    { name: 'first', schema: { type: 'integer' } },
    { name: 'second', required: true, schema: { type: 'string' } },
    { name: 'third', schema: { type: 'boolean' } },
  ];
  const document = documentOf([
    { name: 'byPosition', paramStructure: 'by-position', params },
    { name: 'byName', paramStructure: 'by-name', params },
    { name: 'either', params },
    { name: 'none', paramStructure: 'by-position', params: [] },
  ]);
  const outline = (found: readonly Violation[]) =>
    found.map(({ pointer, param, keyword }) => `${pointer} ${param} ${keyword}`);

  test.each<[string, unknown, readonly string[]]>([
    ['byPosition', [1, 'a', true], []],
    ['byPosition', [1, 'a'], []],
    ['byPosition', [null, 'a'], []],
    ['byPosition', [1, 'a', null], ['/2 third type']],
    ['byPosition', [], ['/1 second required']],
    ['byPosition', undefined, ['/1 second required']],
    [
      'byPosition',
      ['a', 1, 1, 1],
      ['/0 first type', '/1 second type', '/2 third type', '/3 null maxItems'],
    ],
    ['byPosition', { second: 'a' }, [' null type']],
    ['byPosition', null, [' null type']],
    ['byName', { second: 'a' }, []],
    ['byName', { first: 'a' }, ['/first first type', '/second second required']],
    ['byName', { second: 'a', secnod: 'b' }, ['/secnod null additionalProperties']],
    ['byName', ['a'], [' null type']],
    ['either', [1, 'a'], []],
    ['either', { second: 'a' }, []],
    ['either', 'a', [' null type']],
    ['none', [], []],
    ['none', undefined, []],
    ['none', [1], ['/0 null maxItems']],
  ])('%s of %j', async (method, value, expected) => {
    const { validateParams } = await validatorsOf(document);
    expect(outline(validateParams[method]!(value))).toEqual(expected);
  });
});

describe('invalid values are rejected in time linear in their size', () => {
  const schemas = {
    Item: {
      type: 'object',
      required: ['a'],
      properties: { a: { $ref: '#/components/schemas/Item' } },
    },
    List: {
      type: 'array',
      maxItems: 4,
      uniqueItems: true,
      items: { oneOf: [{ $ref: '#/components/schemas/Item' }, { type: 'null' }] },
    },
    Table: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Item' } },
  };
  const many = 200_000;
  const deep = (() => {
    let value: unknown = {};
    for (let depth = 0; depth < 50_000; depth += 1) value = { a: value };
    return value;
  })();

  test.each<[string, unknown]>([
    ['List', Array.from({ length: many }, () => 0)],
    ['List', Array.from({ length: many }, (_, index) => ({ b: index }))],
    ['Table', Object.fromEntries(Array.from({ length: many }, (_, index) => [`k${index}`, 0]))],
    ['Item', deep],
  ])('a wrong %s', async (name, value) => {
    const { validateParams } = await validatorsOf(
      documentOf([methodOf('m', { $ref: `#/components/schemas/${name}` })], {
        components: { schemas },
      }),
    );
    const violations = validateParams['m']!([value]);
    expect(violations.length).toBeGreaterThan(0);
    expect(violations.length).toBeLessThanOrEqual(20);
  });
});

describe('an object or array with many errors', () => {
  const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, name) => [`k${name}`, 0]));
  const elements = Array.from({ length: 1_000 }, () => 0);

  test.each<[string, Schema, unknown]>([
    ['additionalProperties', { additionalProperties: false }, members],
    ['a schema of additional members', { additionalProperties: { type: 'null' } }, members],
    ['patternProperties', { patternProperties: { '^k': { type: 'null' } } }, members],
    ['propertyNames', { propertyNames: { maxLength: 1 } }, members],
    ['items', { items: { type: 'null' } }, elements],
    ['additionalItems', { items: [true], additionalItems: { type: 'null' } }, elements],
    ['contains', { contains: { type: 'null' } }, elements],
  ])('has a bounded number of them for %s', async (_, schema, value) => {
    for (const ownProperties of [false, true]) {
      const validate = createAjv([{ id: 's', schema }], { ownProperties }).getSchema('s')!;
      expect(validate(value)).toBe(false);
      // The last name or element adds more than one.
      expect(validate.errors!.length).toBeLessThanOrEqual(102);
    }
  });

  test('still contains an element behind them', async () => {
    const schema = { contains: { type: 'null' }, items: { type: ['number', 'null'] } };
    const validate = createAjv([{ id: 's', schema }]).getSchema('s')!;
    expect(validate([...elements, null])).toBe(true);
  });
});

describe('the emitted files', () => {
  test('import nothing but one another and evaluate no text', async () => {
    for (const [path, text] of await render(hardDocument, 'validators')) {
      const imports = [...text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(
        ([, from]) => from!,
      );
      expect(
        imports.every((from) => from.startsWith('.')),
        `${path}: ${imports}`,
      ).toBe(true);
      expect(text).not.toMatch(/\beval\(|new Function|\brequire\(/);
    }
  });

  test('share the code of a schema', async () => {
    const schemas = { Hash: { type: 'string', pattern: '^0x[0-9a-f]{64}$' } };
    const reference = { $ref: '#/components/schemas/Hash' };
    const methods = Array.from({ length: 20 }, (_, index) =>
      methodOf(`m${index}`, reference, reference),
    );
    const files = await render(documentOf(methods, { components: { schemas } }), 'validators');
    expect(files.get('validators.js')?.split('{64}').length).toBe(3);
  });

  test('work for recursive, boolean and oddly named schemas', async () => {
    const { validateParams } = await validatorsOf(hardDocument);
    const tree = { label: 'a', children: [{ label: 'b', children: [] }] };
    const accepted: readonly [string, unknown][] = [
      ['Tree', tree],
      ['Alias', tree],
      ['Json', { a: [1, { b: null }] }],
      ['Anything', 1],
      ['Foo', 'upper'],
      ['foo', 'lower'],
      ['2d', [1, 2]],
      ['Tuple', ['a', tree, 1]],
      ['Mixed', { deep: [1] }],
      ['NoU', '-'],
      ['Conditional', { kind: 'sized', size: 1 }],
      ['Odd', { constructor: 'a', undeclared: 1 }],
    ];
    const refused: readonly [string, unknown][] = [
      ['Tree', { label: 'a', children: [{ label: 1 }] }],
      ['Json', undefined],
      ['Nothing', 1],
      ['Foo', 'lower'],
      ['2d', [1, 2, 3]],
      ['Conditional', { kind: 'sized' }],
      ['Odd', { undeclared: 1 }],
      ['Shape', { kind: 'circle', side: 1 }],
    ];
    for (const [name, value] of accepted)
      expect(validateParams[`echo.${name}`]!([value]), name).toEqual([]);
    for (const [name, value] of refused)
      expect(validateParams[`echo.${name}`]!([value]), name).not.toEqual([]);
  });
});
