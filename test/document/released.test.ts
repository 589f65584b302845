import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import semver from 'semver';
import { expect, test } from 'vitest';
import { diffDocuments } from '../../generator/diff/diff.ts';
import { loadDocument } from '../../generator/document.ts';
import { createTextReader } from '../../generator/files/text.ts';
import { loadProject } from '../../generator/project/load.ts';

const versions = readdirSync('released').map(
  (file) => /^openrpc-(.+)\.json$/.exec(file)?.[1] ?? file,
);
const reader = createTextReader();

/** SHA-256 of each released document. */
const digests: Readonly<Record<string, string>> = {
  '3.0.0': '95b4b46c3adb67cf8ef54da3a11dd9060daae4198ce073f70a7004d3d8f94470',
};

test('no released document is edited afterwards', () => {
  const found = versions.map((version) => {
    const bytes = readFileSync(`released/openrpc-${version}.json`);
    return [version, createHash('sha256').update(bytes).digest('hex')];
  });
  expect(Object.fromEntries(found)).toEqual(digests);
});

test('every file of released/ is a document of the version in its name', async () => {
  expect(versions.filter((version) => semver.valid(version) === null)).toEqual([]);
  for (const version of versions) {
    const { model } = await loadDocument(`released/openrpc-${version}.json`, reader);
    expect(model.info.version).toBe(version);
  }
});

test('the document has the version that semver asks for since the newest release', async () => {
  const newest = versions.toSorted(semver.rcompare)[0]!;
  const documents = {
    old: await loadDocument(`released/openrpc-${newest}.json`, reader),
    new: await loadDocument('openrpc.json', reader),
  };
  const today = new Date().toISOString().slice(0, 10);
  const { changes, version, unused } = diffDocuments(documents, {
    strictness: 'source',
    approvals: (await loadProject(undefined))!.diff.approved,
    today,
  });
  expect(unused).toEqual([]);
  const isBroken = changes.filter(
    ({ kind }) => kind === 'version-bump-too-small' || kind === 'version-lowered',
  );
  const summary = `${version.old} → ${version.new}, ${version.lowest} expected: ${changes.map(({ kind }) => kind).join(', ')}`;
  expect(isBroken, summary).toEqual([]);
  // The path of every request contains the major version.
  expect(semver.major(version.new)).toBe(3);
});
