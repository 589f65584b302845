import { severities } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { exampleDocument } from './support/example-document.ts';
import { reportAt } from '../../../generator/diff/change.ts';
import { kinds } from '../../../generator/diff/kinds/index.ts';
import type { Fragment, Kind } from '../../../generator/diff/kinds/kind.ts';
import { metaSchemaOf, DOCUMENT_ID } from '../../../generator/validation/meta-schema.ts';
import { createAjv } from '../../../generator/violations/create-ajv.ts';
import { diffOf } from './support/documents.ts';

async function kindsFound(old: Fragment, fresh: Fragment): Promise<readonly string[]> {
  const { changes } = await diffOf(exampleDocument(old), exampleDocument(fresh));
  return changes.map(({ kind }) => kind);
}

/** Kinds about the version, which is reported in addition to the change. */
const VERSION = new Set(['version-bump-too-small', 'version-not-raised']);

/** Kinds whose example also contains a change of another kind. */
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

test('a kind is at least as severe for the source as for the wire', () => {
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

const ids: readonly string[] = kinds.map(({ id }) => id);

test('a change of a kind that no row has is a type error', () => {
  const report = reportAt({ subject: '', old: '', new: '', methods: [] });
  // @ts-expect-error: no row has this id
  expect(ids).not.toContain(report('method-forgotten', '').kind);
  expect(ids).toContain(report('method-added', '').kind);
});

test('every kind above info has a migration for callers', () => {
  const isAboveInfo = ({ levels: { source } }: Kind) => source !== 'info';
  const hints = kinds.filter(isAboveInfo).map(({ id, migration }) => [id, migration]);
  const unhelpful = hints.filter(([, hint]) => hint === 'read what changed in the document');
  // A version is fixed by the author of the document, not by callers.
  expect(unhelpful.filter(([id]) => !id!.startsWith('version-'))).toEqual([]);
});

describe.each(kinds.map((kind) => [kind.id, kind] as const))('%s', (id, kind) => {
  test('is the only kind found in its example', async () => {
    const found = await kindsFound(kind.example.old, kind.example.new);
    expect(found).toContain(id);
    const others = found.filter((each) => each !== id && (!VERSION.has(each) || VERSION.has(id)));
    const allowed = new Set(VERSION.has(id) ? found : (COMPANIONS[id] ?? []));
    expect(others.filter((each) => !allowed.has(each))).toEqual([]);
  });

  test('is the stated kind in reverse', async () => {
    const found = await kindsFound(kind.example.new, kind.example.old);
    if (kind.reverse === null) return expect(found).not.toContain(id);
    expect(ids).toContain(kind.reverse);
    expect(found).toContain(kind.reverse);
  });
});
