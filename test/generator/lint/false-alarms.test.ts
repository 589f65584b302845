import { describe, expect, test } from 'vitest';
import { complete, lintBy } from './lint.ts';

/** By rule: valid documents that resemble what the rule reports, each with the difference. */
const cases: readonly (readonly [string, string, string])[] = [
  [
    'required-undescribed',
    'a branch requires what the whole describes',
    `
components: { schemas: { A: { type: object, properties: { a: true }, anyOf: [{ required: [a], properties: { b: true } }] } } }`,
  ],
  [
    'required-undescribed',
    'additional members have a schema',
    `
components: { schemas: { A: { type: object, properties: { a: true }, required: [b], additionalProperties: { type: string } } } }`,
  ],
  [
    'conflicting-types',
    'integer is a number',
    `
components: { schemas: { A: { allOf: [{ type: number }, { type: integer }] } } }`,
  ],
  [
    'conflicting-types',
    'a list of types has one in common',
    `
components: { schemas: { A: { allOf: [{ type: [string, 'null'] }, { type: string }] } } }`,
  ],
  [
    'duplicate-branch',
    'titles aside, the branches differ',
    `
components: { schemas: { A: { oneOf: [{ title: x, type: string, maxLength: 1 }, { title: x, type: string, minLength: 2 }] } } }`,
  ],
  [
    'infinite-schema',
    'a branch of the union ends',
    `
components: { schemas: { A: { type: object, required: [next], properties: { next: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/A' }] } } } } }`,
  ],
  [
    'infinite-schema',
    'a list may be empty',
    `
components: { schemas: { A: { type: object, required: [all], properties: { all: { type: array, items: { $ref: '#/components/schemas/A' } } } } } }`,
  ],
  [
    'infinite-schema',
    'a value of another type needs no members',
    `
components: { schemas: { A: { required: [next], properties: { next: { $ref: '#/components/schemas/A' } } } } }`,
  ],
  [
    'pattern-anchored',
    'the pattern searches for a substring',
    `
components: { schemas: { A: { type: string, pattern: '@' } } }`,
  ],
  [
    'pattern-anchored',
    'only the start is fixed',
    `
components: { schemas: { A: { type: string, pattern: '^0x[0-9a-f]*' } } }`,
  ],
  [
    'pattern-backtracking',
    'repetitions follow one another',
    `
components: { schemas: { A: { type: string, pattern: '^[a-z]+(-[a-z]+)*(\\.[a-z]+)*$' } } }`,
  ],
  [
    'pattern-backtracking',
    'groups of fixed length repeat',
    `
components: { schemas: { A: { type: string, pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' } } }`,
  ],
  [
    'pattern-backtracking',
    'repetitions of fixed length are too long to try',
    `
components: { schemas: { A: { type: string, pattern: '^((((a{100}b){100}){100}){100}x+)+$' } } }`,
  ],
  [
    'foreign-keyword',
    'a property is called like a keyword of OpenAPI',
    `
components: { schemas: { A: { type: object, properties: { nullable: { type: boolean }, example: true } } } }`,
  ],
  [
    'misspelled-keyword',
    'the author adds keywords unlike any of JSON Schema',
    `
components: { schemas: { A: { type: string, since: v2, units: wei, note: text, value: 1 } } }`,
  ],
  [
    'keyword-without-effect',
    'it applies to one of several types',
    `
components: { schemas: { A: { type: [string, 'null'], minLength: 1 } } }`,
  ],
  [
    'keyword-without-effect',
    'no type is declared',
    `
components: { schemas: { A: { minimum: 1, minLength: 1 } } }`,
  ],
  [
    'unused-component',
    'a part of it is referred to',
    `
methods:
  - name: a
    result: { name: r, schema: { $ref: '#/components/schemas/A/properties/b' } }
components: { schemas: { A: { type: object, properties: { b: { type: string } } } } }`,
  ],
  [
    'unused-component',
    'an extension refers to it',
    `
methods:
  - name: a
    x-cases: [{ schema: { $ref: '#/components/schemas/A' } }]
components: { schemas: { A: { type: string } } }`,
  ],
  [
    'example-param-valid',
    'null leaves out a parameter before another',
    `
methods:
  - name: a
    params: [{ name: x, schema: { type: integer } }, { name: y, schema: { type: integer } }]
    examples: [{ name: e, params: [{ name: x, value: null }, { name: y, value: 1 }] }]`,
  ],
  [
    'example-param-valid',
    'an example of an error may be wrong',
    `
methods:
  - name: a
    params: [{ name: x, schema: { type: integer } }]
    examples: [{ name: e, params: [{ name: x, value: no }], x-error: { code: -32602 } }]`,
  ],
  [
    'example-param-name',
    'a shared example stands for several parameters',
    `
methods:
  - name: a
    params: [{ name: x, schema: true }]
    examples: [{ name: e, params: [{ $ref: '#/components/examples/two' }] }]
components: { examples: { two: { name: two, value: 2 } } }`,
  ],
  [
    'link-method',
    'the method is one of another server',
    `
methods:
  - name: a
    links: [{ name: l, method: elsewhere, server: { name: other, url: 'https://other.example.org' } }]`,
  ],
  [
    'description-links',
    'a heading of another text, a method, a component',
    `
info: { title: T, version: 1.0.0, description: "## How to *pay*\\n" }
methods:
  - name: a
    description: "[1](#how-to-pay) [2](#a) [3](#B) [4](#/methods/0) [5](https://example.org/#x)"
components: { schemas: { B: true } }`,
  ],
  [
    'description-fence',
    'the last line closes the block',
    `
methods:
  - name: a
    description: "~~~\\ncode\\n~~~"`,
  ],
  [
    'name-collision',
    'a name occurs twice, which another rule reports',
    `
methods: [{ name: a }, { name: a }]`,
  ],
  [
    'duplicate-server',
    'the same address with other variables',
    `
servers:
  - { name: a, url: 'https://\${h}', variables: { h: { default: a.org } } }
  - { name: b, url: 'https://\${h}', variables: { h: { default: b.org } } }`,
  ],
  [
    'required-before-optional',
    'all parameters are optional',
    `
methods: [{ name: a, params: [{ name: x, schema: true }, { name: y, schema: true }] }]`,
  ],
  [
    'reserved-error-code',
    'codes that servers may define',
    `
methods: [{ name: a, errors: [{ code: -32000, message: a }, { code: -32099, message: b }, { code: 4001, message: c }] }]`,
  ],
  [
    'closed-all-of',
    'the closed part describes all members',
    `
components: { schemas: { A: { allOf: [{ properties: { a: true } }, { properties: { a: true, b: true }, additionalProperties: false }] } } }`,
  ],
  [
    'default-valid',
    'the format applies to numbers',
    `
components: { schemas: { A: { type: integer, format: int64, default: 5 } } }`,
  ],
];

describe.each([...new Set(cases.map(([rule]) => rule))])('%s finds nothing where', (rule) => {
  test.each(cases.filter(([id]) => id === rule).map(([, what, text]) => [what, text] as const))(
    '%s',
    async (_, text) => {
      expect(await lintBy(rule, complete(text))).toEqual([]);
    },
  );
});
