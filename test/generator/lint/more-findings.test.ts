import { expect, test } from 'vitest';
import { complete, lintBy } from './lint.ts';

/** By rule: what it has to report beyond its own example, with the expected pointers. */
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
    'pattern-backtracking',
    'letters and groups look like escapes with braces',
    `
components: { schemas: { A: { type: string, pattern: '^\\p{(a+)+}$' }, B: { type: string, pattern: '^\\u{(a+)+}$' } } }`,
    ['/components/schemas/A/pattern', '/components/schemas/B/pattern'],
  ],
  [
    'pattern-backtracking',
    'repetitions within repetitions never end',
    `
components: { schemas: { A: { type: string, pattern: '^(?:(?:(?:a?){1000}){1000}){1000}$' }, B: { type: string, pattern: '(?=a)(?:(?:(?:a?){1000}){1000}){1000}' } } }`,
    ['/components/schemas/A/pattern', '/components/schemas/B/pattern'],
  ],
  [
    'unused-component',
    'two components use only each other',
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
    'the value is nested',
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

test.each(found)('%s reports where %s', async (rule, _, text, pointers) => {
  const findings = await lintBy(rule, complete(text));
  expect(findings.map((each) => each.slice(0, each.indexOf(':')))).toEqual(pointers);
});
