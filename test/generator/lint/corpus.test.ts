import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createTextReader } from '../../../generator/files/text.ts';
import { lintDocument } from '../../../generator/lint/lint.ts';
import { activeRules } from '../../../generator/lint/settings.ts';

const require = createRequire(import.meta.url);

const folders = {
  examples: join(
    dirname(require.resolve('@open-rpc/examples/package.json')),
    'build/service-descriptions',
  ),
  metamask: join(dirname(require.resolve('@metamask/api-specs/package.json')), 'dist/build'),
};

/**
 * Findings of the recommended rules in public documents, by rule. Each one was reviewed by hand and is
 * a defect, or required by the specification; review new findings before changing a count.
 */
const reviewed: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
  [`${folders.examples}/api-with-examples-openrpc.json`, { 'openrpc-released': 1 }],
  [
    `${folders.examples}/link-example-openrpc.json`,
    { 'openrpc-released': 1, 'link-method': 3, 'method-described': 6 },
  ],
  [`${folders.examples}/params-by-name-petstore-openrpc.json`, { 'openrpc-released': 1 }],
  [`${folders.examples}/petstore-expanded-openrpc.json`, { 'openrpc-released': 1 }],
  [`${folders.examples}/petstore-openrpc.json`, { 'openrpc-released': 1, 'example-param-name': 1 }],
  [
    `${folders.examples}/simple-math-openrpc.json`,
    { 'openrpc-released': 1, 'method-described': 2 },
  ],
  [`${folders.metamask}/multichain-openrpc.json`, { 'pattern-anchored': 1, 'method-described': 3 }],
  [
    `${folders.metamask}/openrpc.json`,
    {
      'reference-siblings': 4,
      'unused-component': 12,
      'duplicate-error-code': 13,
      'error-message-sentence': 4,
      'example-param-valid': 4,
      'example-param-name': 2,
      'example-result-valid': 21,
      'schema-title-unique': 2,
      'foreign-keyword': 1,
      'keyword-without-effect': 1,
      'summary-short': 1,
    },
  ],
];

test.each(reviewed)('%s', async (path, expected) => {
  const { diagnostics } = await lintDocument(path, {
    reader: createTextReader(),
    active: activeRules({}),
  });
  const counts: Record<string, number> = {};
  for (const { code } of diagnostics) counts[code] = (counts[code] ?? 0) + 1;
  expect(counts).toEqual(expected);
});
