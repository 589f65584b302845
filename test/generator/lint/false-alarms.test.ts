import { describe, expect, test } from 'vitest';
import { complete, lintBy } from './lint.ts';

/** What a rule must not find fault with: by rule, cases each with what is special about it. */
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
    'a fragment is looked for',
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
    'foreign-keyword',
    'a property is called like a keyword of OpenAPI',
    `
components: { schemas: { A: { type: object, properties: { nullable: { type: boolean }, example: true } } } }`,
  ],
  [
    'misspelled-keyword',
    'words of the author are no slips',
    `
components: { schemas: { A: { type: string, since: v2, units: wei, note: text, value: 1 } } }`,
  ],
  [
    'keyword-without-effect',
    'one of several types is what it is about',
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
    'one name twice is the business of another rule',
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
    'there are optional ones only',
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
    'a format of numbers is not about text',
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

/** What a rule must find, beyond its own example: the pointers. */
const found: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'server-variables',
    'a default is not in its enum',
    `
servers: [{ name: a, url: 'https://\${z}.org', variables: { z: { default: eu, enum: [us] } } }]`,
    ['/servers/0/variables/z/default'],
  ],
  [
    'link-params',
    'a required parameter is not passed',
    `
methods:
  - name: a
    params: [{ name: x, required: true, schema: true }]
    links: [{ name: l, method: a }]`,
    ['/methods/0/links/0'],
  ],
  [
    'link-expression',
    'there is no result, and no such root',
    `
methods:
  - name: a
    params: [{ name: x, schema: true }]
    links: [{ name: l, method: a, params: { x: '\${result.y}' } }, { name: m, method: a, params: { x: '\${request.y}' } }]`,
    ['/methods/0/links/0/params/x', '/methods/0/links/1/params/x'],
  ],
  [
    'impossible-bounds',
    'exclusive bounds meet',
    `
components: { schemas: { A: { type: number, exclusiveMinimum: 1, maximum: 1 } } }`,
    ['/components/schemas/A/exclusiveMinimum'],
  ],
  [
    'pattern-backtracking',
    'branches overlap within a repetition',
    `
components: { schemas: { A: { type: string, pattern: '^(a|a)*$' }, B: { type: string, pattern: '^x(?:[a-z]*[a-z0-9]*)*y$' } } }`,
    ['/components/schemas/A/pattern', '/components/schemas/B/pattern'],
  ],
  [
    'unused-component',
    'two use one another only',
    `
components: { schemas: { A: { items: { $ref: '#/components/schemas/B' } }, B: { items: { $ref: '#/components/schemas/A' } } } }`,
    ['/components/schemas/A'],
  ],
  [
    'misspelled-keyword',
    'the case or the sign is wrong',
    `
components: { schemas: { A: { type: string, maxlength: 1, ref: x, minLenght: 1 } } }`,
    [
      '/components/schemas/A/maxlength',
      '/components/schemas/A/ref',
      '/components/schemas/A/minLenght',
    ],
  ],
  [
    'example-param-valid',
    'the value is deep within',
    `
methods:
  - name: a
    params: [{ name: x, schema: { type: array, items: { type: integer } } }]
    examples: [{ name: e, params: [{ name: x, value: [1, two] }] }]`,
    ['/methods/0/examples/0/params/0/value/1'],
  ],
  [
    'description-links',
    'the address is empty',
    `
methods: [{ name: a, description: 'see [this]()' }]`,
    ['/methods/0/description'],
  ],
];

test.each(found)('%s finds fault where %s', async (rule, _, text, pointers) => {
  const findings = await lintBy(rule, complete(text));
  expect(findings.map((each) => each.slice(0, each.indexOf(':')))).toEqual(pointers);
});
