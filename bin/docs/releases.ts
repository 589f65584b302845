import { globSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { plainMarkdown } from '../../common/escape/markdown.ts';
import { renderSections, toSections } from '../../generator/diff/changelog.ts';
import { diffDocuments } from '../../generator/diff/diff.ts';
import { loadDocument, withoutBrokenMethods, type Comparable } from '../../generator/document.ts';
import { createTextReader } from '../../generator/files/text.ts';
import type { Model } from '../../generator/model/model.ts';
import type { GuideSource } from '../../generator/targets/docs/assets.ts';

export type LoadRelease = (path: string) => Promise<Comparable>;

/** Kinds of changes to extensions that have no kind of their own; only tools read these extensions. */
const FOR_TOOLS = /extension-(?:changed|declaration)/;

const HEAD = `---
title: API changes
summary: Changes to the interface in each release, breaking changes first.
order: 85
---
`;

/**
 * Renders the page of the changes in each release of a document and those since the last release,
 * newest first.
 *
 * @throws DocumentError when a release cannot be used; Error when the folder is missing
 */
export async function renderReleases(
  current: Comparable,
  folder: string,
  load: LoadRelease = (path) => loadDocument(path, createTextReader()),
): Promise<GuideSource> {
  // Unlike globSync, fails for a missing folder.
  await readdir(folder);
  const paths = globSync('*.{json,yaml,yml}', { cwd: folder }).sort();
  const loaded = await Promise.all(paths.map((path) => load(join(folder, path))));
  const releases = loaded.toSorted((a, b) => byVersion(a.model, b.model));
  const last = releases.at(-1)?.model.info.version;
  const entries = [...releases, current].map((each, index, all) => {
    const before = all[index - 1];
    const { version } = each.model.info;
    if (before === undefined) return `## ${plainMarkdown(version)}\n\nThe first release.`;
    const isReleased = each !== current || version !== last;
    const title = isReleased ? plainMarkdown(version) : 'Not released yet';
    const since = plainMarkdown(before.model.info.version);
    return `## ${title}\n\nSince ${since}.\n\n${changesBetween(before, each)}`;
  });
  const shown = releases.length === 0 ? [] : entries.toReversed();
  return { path: 'guides/changes.md', text: `${HEAD}\n${shown.join('\n\n')}\n` };
}

function changesBetween(old: Comparable, fresh: Comparable): string {
  const today = new Date().toISOString().slice(0, 10);
  const pair = withoutBrokenMethods({ old, new: fresh });
  const diff = diffDocuments(pair, { strictness: 'wire', approvals: [], today });
  const changes = diff.changes.filter(({ kind }) => !FOR_TOOLS.test(kind));
  const sections = toSections({ ...diff, changes });
  return sections.length === 0 ? 'No changes that affect callers.' : renderSections(sections, 3);
}

function byVersion({ info: a }: Model, { info: b }: Model): number {
  const [first, second] = [semver.parse(a.version), semver.parse(b.version)];
  if (first !== null && second !== null) return semver.compare(first, second);
  return a.version.localeCompare(b.version, 'en', { numeric: true });
}
