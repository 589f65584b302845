import { describe, expect, test } from 'vitest';
import { toOpenApi } from '../../../generator/convert/openapi.ts';
import { DocumentError } from '../../../common/diagnostic.ts';
import { valueAt, walkJson } from '../../../common/json/pointer.ts';
import type { Json, JsonObject } from '../../../common/json/value.ts';
import { diffDocuments } from '../../../generator/diff/diff.ts';
import { loadDocument, withoutBrokenMethods } from '../../../generator/document.ts';
import { lintDocument } from '../../../generator/lint/lint.ts';
import { activeRules } from '../../../generator/lint/settings.ts';
import { findUnsound } from '../../../generator/validation/soundness.ts';
import { findViolations } from '../../../generator/validation/conformance.ts';
import { loadTargets } from '../../../generator/targets/index.ts';
import { atScale } from '../../support/soak.ts';
import { readerOf } from '../support/document.ts';

const whole = {
  openrpc: '1.3.2',
  info: { title: 'Test', version: '1.0.0', license: { name: 'MIT' } },
  servers: [{ name: 'main', url: 'https://example.org', variables: { v: { default: 'x' } } }],
  'x-extensions': [
    {
      openrpcExtension: '0.0.0-development',
      name: 'x-cost',
      version: '1.0.0',
      restricted: ['methodObject'],
      schema: { type: 'integer' },
    },
  ],
  methods: [
    {
      name: 'a',
      summary: 'A.',
      'x-cost': 1,
      paramStructure: 'by-position',
      params: [
        { name: 'x', required: true, schema: { $ref: '#/components/schemas/S' } },
        { $ref: '#/components/contentDescriptors/C' },
      ],
      result: { name: 'r', schema: { type: 'array', items: { type: 'string' } } },
      errors: [{ code: 1, message: 'm' }, { $ref: '#/components/errors/E' }],
      tags: [{ name: 't' }],
      links: [{ name: 'l', method: 'a', params: { x: '$params.x' } }],
      examples: [
        {
          name: 'e',
          params: [{ name: 'x', value: { k: 1 } }],
          result: { name: 'r', value: ['y'] },
        },
      ],
    },
    { name: 'b', params: [], result: { name: 'r', schema: { $ref: '#/components/schemas/S' } } },
  ],
  components: {
    schemas: {
      S: { type: 'object', properties: { k: { type: 'integer', minimum: 1 } }, required: ['k'] },
    },
    contentDescriptors: { C: { name: 'c', schema: { pattern: '^a$' } } },
    errors: { E: { code: 2, message: 'e' } },
  },
} as unknown as JsonObject;

/** What takes the place of a part; undefined: nothing. */
const WRONG: readonly (Json | undefined)[] = [
  undefined,
  5,
  'wrong',
  null,
  [],
  {},
  [5],
  { $ref: '#/gone' },
  { $ref: 'gone.json' },
];

const cases = [...walkJson(whole)].flatMap(([, pointer]) =>
  pointer === '' ? [] : WRONG.map((wrong) => ({ pointer, wrong })),
);

function damaged({ pointer, wrong }: (typeof cases)[number]): JsonObject {
  const document = structuredClone(whole);
  const cut = pointer.lastIndexOf('/');
  const holder = valueAt(document, pointer.slice(0, cut)) as Record<string, Json>;
  const key = pointer.slice(cut + 1);
  if (wrong !== undefined) holder[key] = wrong;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return document;
}

const active = activeRules({ extends: 'strict' });
const targets = (await loadTargets()).filter(({ name }) => ['types', 'errors'].includes(name));
/** Every so many cases; not a divisor of the number of wrong values. */
const STEP = atScale(2, 61);

describe('a document with one wrong part', () => {
  test('can be used without it, or is refused with a place', async () => {
    const old = await loadDocument('doc.json', readerOf({ 'doc.json': whole }));
    let refused = 0;
    let left = 0;
    for (let index = 0; index < cases.length; index += STEP) {
      const reader = readerOf({ 'doc.json': damaged(cases[index]!) });
      const note = JSON.stringify(cases[index]);
      try {
        const loaded = await loadDocument('doc.json', reader, { lenient: true });
        const { document } = loaded.model;
        expect(await findViolations(document), note).toEqual([]);
        expect(findUnsound(document), note).toEqual([]);
        if (loaded.omissions.length > 0) left += 1;
        for (const { effect, location } of loaded.omissions) {
          expect(effect, note).not.toBe('');
          expect(location.line, note).not.toBeNull();
        }
        const options = { strictness: 'wire', approvals: [], today: '2026-01-01' } as const;
        diffDocuments(withoutBrokenMethods({ old, new: loaded }), options);
        toOpenApi(loaded.model);
        for (const target of targets) await target.render(loaded.model, { source: 'doc.json' });
        await lintDocument('doc.json', { reader, active });
      } catch (error) {
        if (!(error instanceof DocumentError)) throw new Error(note, { cause: error });
        refused += 1;
        for (const { location } of error.diagnostics) expect(location.line, note).not.toBeNull();
      }
    }
    expect(left).toBeGreaterThan(refused);
  }, 600_000);
});
