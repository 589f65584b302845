import { severities } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { exampleDocument } from '../../../generator/diff/kinds/example-document.ts';
import { kindOf, kinds } from '../../../generator/diff/kinds/index.ts';
import type { Fragment, Kind } from '../../../generator/diff/kinds/kind.ts';
import { metaSchemaOf, DOCUMENT_ID } from '../../../generator/validation/meta-schema.ts';
import { createAjv } from '../../../generator/violations/create-ajv.ts';
import { migrationOf } from '../../../generator/diff/kinds/migrations.ts';
import { diffOf } from './support/documents.ts';

async function kindsFound(old: Fragment, fresh: Fragment): Promise<readonly string[]> {
  const { changes } = await diffOf(exampleDocument(old), exampleDocument(fresh));
  return changes.map(({ kind }) => kind);
}

/** What a change asks of the version is told beside it. */
const VERSION = new Set(['version-bump-too-small', 'version-not-raised']);

/** Kinds that come with another one, which says something of its own. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  'sunset-in-the-past': ['method-deprecated'],
  'request-schema-became-unsatisfiable': ['request-length-tightened'],
  'request-schema-became-satisfiable': ['request-length-loosened'],
  'response-schema-became-unsatisfiable': ['response-length-tightened'],
  'response-schema-became-satisfiable': ['response-length-loosened'],
};

test('there are at least 60 kinds, each with an id of its own', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(60);
  expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length);
});

test('what breaks the wire is at least as grave for the source', () => {
  const isLighter = ({ levels: { wire, source } }: Kind) =>
    severities.indexOf(source) > severities.indexOf(wire);
  expect(kinds.filter(isLighter).map(({ id }) => id)).toEqual([]);
});

test('every example is a valid document', () => {
  const isDocument = createAjv(metaSchemaOf(exampleDocument({ document: {} }))).getSchema(
    DOCUMENT_ID,
  )!;
  const fragments = kinds.flatMap(({ example }) => [example.old, example.new]);
  const invalid = fragments.filter((fragment) => isDocument(exampleDocument(fragment)) !== true);
  expect(invalid).toEqual([]);
});

test('every kind that is more than a note tells callers what to do', () => {
  const isGrave = ({ levels: { source } }: Kind) => source !== 'info';
  const hints = kinds.filter(isGrave).map(({ id }) => [id, migrationOf(id)]);
  const unhelpful = hints.filter(([, hint]) => hint === 'read what changed in the document');
  // Of the version, it is the author who has to do something.
  expect(unhelpful.filter(([id]) => !id!.startsWith('version-'))).toEqual([]);
});

describe.each(kinds.map((kind) => [kind.id, kind] as const))('%s', (id, kind) => {
  test('is found in its example, and nothing else is', async () => {
    const found = await kindsFound(kind.example.old, kind.example.new);
    expect(found).toContain(id);
    const others = found.filter((each) => each !== id && (!VERSION.has(each) || VERSION.has(id)));
    const allowed = new Set(VERSION.has(id) ? found : (COMPANIONS[id] ?? []));
    expect(others.filter((each) => !allowed.has(each))).toEqual([]);
  });

  test('is what it says the other way round', async () => {
    const found = await kindsFound(kind.example.new, kind.example.old);
    if (kind.reverse === null) return expect(found).not.toContain(id);
    expect(kindOf(kind.reverse)).not.toBeNull();
    expect(found).toContain(kind.reverse);
  });
});
