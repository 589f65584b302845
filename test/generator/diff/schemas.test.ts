import { atScale } from '../../support/soak.ts';
import { describe, expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { diffOf, kindsIn } from './support/documents.ts';

const request = (schema: unknown) => documentOf([methodOf('a', schema)]);
const response = (schema: unknown) => documentOf([methodOf('a', {}, schema)]);

interface Case {
  readonly name: string;
  readonly wide: unknown;
  readonly narrow: unknown;
  /** Where the reason is found, below the schema. */
  readonly at: string;
}

const cases: readonly Case[] = [
  {
    name: 'a member of a member',
    wide: { properties: { a: { properties: { b: { type: ['string', 'null'] } } } } },
    narrow: { properties: { a: { properties: { b: { type: 'string' } } } } },
    at: '.a.b',
  },
  {
    name: 'an element of a tuple',
    wide: { items: [{ type: 'string' }, { maximum: 5 }] },
    narrow: { items: [{ type: 'string' }, { maximum: 4 }] },
    at: '[1]',
  },
  {
    name: 'a variant of a union that a constant selects',
    wide: {
      oneOf: [
        { properties: { kind: { const: 'x' }, size: { maximum: 9 } }, required: ['kind'] },
        { properties: { kind: { const: 'y' } }, required: ['kind'] },
      ],
    },
    narrow: {
      oneOf: [
        { properties: { kind: { const: 'x' }, size: { maximum: 8 } }, required: ['kind'] },
        { properties: { kind: { const: 'y' } }, required: ['kind'] },
      ],
    },
    at: '.size',
  },
  {
    name: 'a member under allOf',
    wide: { allOf: [{ properties: { a: { minLength: 1 } } }, { required: ['a'] }] },
    narrow: { allOf: [{ properties: { a: { minLength: 2 } } }, { required: ['a'] }] },
    at: '.a',
  },
];

describe.each(cases)('$name', ({ wide, narrow, at }) => {
  test('breaks calls where a parameter allows less, and is found where it is', async () => {
    const { changes } = await diffOf(request(wide), request(narrow));
    const error = changes.find(
      ({ severity, kind }) => severity === 'error' && !kind.startsWith('version'),
    );
    expect(error).toMatchObject({
      subject: expect.stringMatching(new RegExp(`${escaped(at)}$`)) as string,
    });
    expect(error!.witness).not.toBeUndefined();
  });

  test('breaks no call where a parameter allows more', async () => {
    const { changes } = await diffOf(request(narrow), request(wide));
    expect(
      changes.filter(({ severity, kind }) => severity !== 'info' && !kind.startsWith('version')),
    ).toEqual([]);
  });

  test('breaks readers where a result allows more, and none where it allows less', async () => {
    const grave = async (old: unknown, fresh: unknown) =>
      (await diffOf(response(old), response(fresh))).changes.filter(
        ({ severity, kind }) => severity === 'error' && kind.startsWith('response-'),
      );
    expect(await grave(narrow, wide)).not.toEqual([]);
    expect(await grave(wide, narrow)).toEqual([]);
  });
});

function escaped(text: string): string {
  return text.replaceAll(/[.[\]]/g, String.raw`\$&`);
}

describe('what is the same in other words', () => {
  test.each([
    [{ enum: [1, 2] }, { anyOf: [{ const: 2 }, { const: 1 }] }],
    [{ type: ['string', 'null'] }, { oneOf: [{ type: 'null' }, { type: 'string' }] }],
    [
      { type: 'string', minLength: 3, maxLength: 3 },
      { type: 'string', pattern: '^[^]{3}$' },
    ],
    [
      { if: { type: 'string' }, then: { maxLength: 3 }, else: false },
      { type: 'string', maxLength: 3 },
    ],
    [{ not: { required: ['a'] } }, { properties: { a: false } }],
  ])('%j is %j', async (a, b) => {
    const kinds = kindsIn(
      await diffOf(
        request({ type: ['string', 'number', 'null', 'object'], ...a }),
        request({ type: ['string', 'number', 'null', 'object'], ...b }),
      ),
    );
    expect(
      kinds.filter((kind) => /undecided|tightened|narrowed|refused|removed/.test(kind)),
    ).toEqual([]);
  });
});

test('a format breaks calls where generated validators check it, and is a warning where they do not', async () => {
  const text = { type: 'string' };
  const added = async (format: string) =>
    (await diffOf(request(text), request({ ...text, format }))).changes
      .filter(({ kind }) => !kind.startsWith('version'))
      .map(({ kind, severity, what }) => ({ kind, severity, what }));
  expect(await added('base64')).toMatchObject([
    { kind: 'request-format-tightened', severity: 'error' },
  ]);
  expect(await added('email')).toMatchObject([
    {
      kind: 'request-schema-undecided',
      severity: 'warning',
      what: expect.stringContaining('(generated validators do not check it, others may)'),
    },
  ]);
});

test('of a variant that cannot be compared, the reason is reported, not a removal', async () => {
  const union = (...lengths: readonly number[]) => ({
    anyOf: lengths.map((length) => ({ type: 'string', pattern: `^(?=.*a).{${length}}$` })),
  });
  const { changes } = await diffOf(request(union(7, 8)), request(union(5, 6)));
  const undecided = changes.filter(({ kind }) => kind === 'request-schema-undecided');
  expect(undecided.length).toBeGreaterThan(0);
  for (const { what } of undecided)
    expect(what).toMatch(/^anyOf changed, and its effect could not be/);
});

test('the removal of a format that validators may ignore is reported as harmless', async () => {
  const text = { type: 'string', maxLength: 40 };
  const dated = { ...text, format: 'date-time' };
  const [asked, given] = [
    await diffOf(request(dated), request(text)),
    await diffOf(response(text), response(dated)),
  ];
  expect(asked.changes.at(-1)).toMatchObject({ severity: 'info', kind: 'request-schema-widened' });
  expect(given.changes.at(-1)).toMatchObject({
    severity: 'info',
    kind: 'response-schema-narrowed',
  });
  expect(asked.changes.at(-1)?.what).toBe('format changed, but breaks nothing');
});

describe('recursive schemas', () => {
  const tree = (label: unknown) =>
    documentOf(
      [
        methodOf('a', { $ref: '#/components/schemas/Tree' }),
        methodOf('b', {}, { $ref: '#/components/schemas/Tree' }),
      ],
      {
        components: {
          schemas: {
            Tree: {
              type: 'object',
              properties: {
                label,
                children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
              },
            },
          },
        },
      },
    );

  test('are compared once and reported with every method that uses them', async () => {
    const { changes } = await diffOf(
      tree({ type: 'string' }),
      tree({ type: 'string', maxLength: 5 }),
    );
    const found = changes.filter(({ kind }) => kind.includes('length'));
    expect(found.map(({ kind, methods, severity }) => [kind, methods, severity])).toEqual([
      ['request-length-tightened', ['a'], 'error'],
      ['response-length-tightened', ['b'], 'info'],
    ]);
    expect(found[0]!.subject).toBe('schema "Tree", .label (a, parameter "value")');
  });

  test('that differ only in where they recur are the same', async () => {
    const unrolled = tree({ type: 'string' });
    const schemas = (
      unrolled['components'] as { schemas: Record<string, { properties: { children: object } }> }
    ).schemas;
    schemas['Tree']!.properties.children = {
      type: 'array',
      items: structuredClone(schemas['Tree']!),
    };
    const kinds = kindsIn(await diffOf(tree({ type: 'string' }), unrolled));
    expect(new Set(kinds)).toEqual(new Set(['schema-rewritten']));
  });
});

describe('hostile documents', () => {
  test('that require a member called __proto__ are compared by it', async () => {
    const schema = (required: readonly string[]) => ({ type: 'object', required });
    const { changes } = await diffOf(request(schema([])), request(schema(['__proto__'])));
    const found = changes.filter(({ kind }) => kind.startsWith('request-'));
    expect(found.map(({ kind }) => kind)).toEqual(['request-property-became-required']);
  });

  test('that are too intricate are reported as undecided', async () => {
    const mess = (bound: number) => ({
      allOf: Array.from({ length: 14 }, (_, index) => ({
        oneOf: Array.from({ length: 9 }, (_, other) => ({
          properties: {
            [`p${(index * 5 + other) % 13}`]: { minimum: other, maximum: bound + index },
            [`q${other}`]: { type: ['string', 'integer'], maxLength: bound },
          },
          required: [`q${(other + index) % 9}`],
        })),
      })),
    });
    const { changes } = await diffOf(request(mess(50)), request(mess(49)));
    expect(
      changes.some(({ severity, kind }) => severity !== 'info' && kind.startsWith('request-')),
    ).toBe(true);
  });

  test('of patterns that blow up end', async () => {
    const pattern = (n: number) => ({ type: 'string', pattern: `^(a|b)*a(a|b){${n}}$` });
    const { changes } = await diffOf(request(pattern(30)), request(pattern(31)));
    expect(
      changes.some(({ severity, kind }) => severity !== 'info' && kind.startsWith('request-')),
    ).toBe(true);
  });

  const branches = Array.from({ length: 3000 }, (_, index) => `${'a'.repeat(index % 50)}${index}`);

  test.each([
    ['repeats repetitions', (letter: string) => `^(${letter}{0,5000}){0,5000}$`],
    ['repeats a group that repeats', (letter: string) => `^(${letter}{0,70}b?){0,70}$`],
    ['nests 400 groups', (letter: string) => `${'('.repeat(400)}${letter}+${')+'.repeat(400)}$`],
    ['nests 9,000 groups', (letter: string) => `${'(?:'.repeat(9000)}${letter}${')'.repeat(9000)}`],
    ['has 3,000 branches', (letter: string) => `^(${branches.join('|')}|${letter})*$`],
  ])('with a pattern that %s are compared within a bound', async (_, patternOf) => {
    const schema = (letter: string) => ({
      allOf: [{ type: 'string', pattern: patternOf(letter) }, { pattern: 'x' }],
    });
    const { changes } = await diffOf(request(schema('a')), request(schema('c')));
    const found = changes.map(({ kind }) => kind).find((kind) => kind.startsWith('request-'));
    expect(found).toMatch(/-undecided$|-pattern-tightened$/);
  });

  test('with 100,000 values to choose from are compared value by value', async () => {
    const values = (from: number) => ({
      enum: Array.from({ length: 100_000 }, (_, index) => `v${from + index}`),
    });
    const { changes } = await diffOf(request(values(0)), request(values(1)));
    const found = changes.filter(({ kind }) => kind.startsWith('request-'));
    expect(found.map(({ what }) => what)).toEqual([
      'no longer allows "v0"',
      'also allows "v100000"',
    ]);
  });

  const METHODS = atScale(1000, 100);

  test(`of ${METHODS} methods are compared`, async () => {
    const large = (maxLength: number) =>
      documentOf(
        Array.from({ length: METHODS }, (_, index) =>
          methodOf(
            `m${index}`,
            {
              type: 'object',
              properties: {
                id: { type: 'string', maxLength: maxLength + (index % 7) },
                tags: { type: 'array', items: { enum: ['a', index] } },
              },
            },
            { $ref: '#/components/schemas/Shared' },
          ),
        ),
        {
          components: {
            schemas: { Shared: { type: 'object', properties: { n: { maximum: maxLength } } } },
          },
        },
      );
    const [old, fresh] = [large(20), large(19)];
    const { changes } = await diffOf(old, fresh);
    const tightened = changes.filter(({ kind }) => kind === 'request-length-tightened');
    expect(tightened.flatMap(({ methods }) => methods)).toHaveLength(METHODS);
    expect(changes.filter(({ kind }) => kind.startsWith('response-'))).toHaveLength(1);
  });
});
