import { globSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { renderSections, toSections } from '../../generator/diff/changelog.ts';
import { diffDocuments } from '../../generator/diff/diff.ts';
import { loadDocument, type LoadOptions } from '../../generator/document.ts';
import { createTextReader } from '../../generator/files/text.ts';
import type { Model } from '../../generator/model/model.ts';
import type { GuideSource } from '../../generator/targets/docs/assets.ts';

/** Changes of extensions without a kind of their own: only tools read them. */
const FOR_TOOLS = /extension-(?:changed|declaration)/;

const HEAD = `---
title: API changes
summary: What changed in the interface from one release to the next; what breaks comes first.
order: 85
---
`;

/**
 * Renders the page of the changes from each release of a document to the next and since the last one,
 * newest first.
 *
 * @throws DocumentError when a release cannot be used; Error when the folder is missing
 */
export async function renderReleases(
  model: Model,
  folder: string,
  options: LoadOptions = {},
): Promise<GuideSource> {
  // Unlike globSync, fails for a missing folder.
  await readdir(folder);
  const paths = globSync('*.{json,yaml,yml}', { cwd: folder }).sort();
  const reader = createTextReader();
  const loaded = await Promise.all(
    paths.map((path) => loadDocument(join(folder, path), reader, options)),
  );
  const releases = loaded.map((each) => each.model).toSorted(byVersion);
  const last = releases.at(-1)?.info.version;
  const entries = [...releases, model].map((each, index, all) => {
    const before = all[index - 1];
    const { version } = each.info;
    if (before === undefined) return `## ${version}\n\nThe first release.`;
    const title = each === model && version === last ? 'Not released yet' : version;
    return `## ${title}\n\nSince ${before.info.version}.\n\n${changesBetween(before, each)}`;
  });
  const shown = releases.length === 0 ? [] : entries.toReversed();
  return { path: 'guides/changes.md', text: `${HEAD}\n${shown.join('\n\n')}\n` };
}

function changesBetween(old: Model, fresh: Model): string {
  const today = new Date().toISOString().slice(0, 10);
  const diff = diffDocuments(
    { old: { model: old }, new: { model: fresh } },
    { strictness: 'wire', approvals: [], today },
  );
  const changes = diff.changes.filter(({ kind }) => !FOR_TOOLS.test(kind));
  const sections = toSections({ ...diff, changes });
  return sections.length === 0 ? 'Nothing that callers notice.' : renderSections(sections, 3);
}

function byVersion({ info: a }: Model, { info: b }: Model): number {
  const [first, second] = [semver.parse(a.version), semver.parse(b.version)];
  if (first !== null && second !== null) return semver.compare(first, second);
  return a.version.localeCompare(b.version, 'en', { numeric: true });
}
