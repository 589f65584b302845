import type { LoadedDocument } from '../document.ts';
import type { Finding, Level } from '../report/finding.ts';
import type { ReportRule } from '../report/report.ts';
import type { Location } from '../problem/location.ts';
import { describeLocation } from '../problem/location.ts';
import { shown, type Change } from './change.ts';
import type { Diff } from './diff.ts';
import type { Judged } from './judge.ts';
import { kinds } from './kinds/index.ts';
import type { Strictness } from './kinds/kind.ts';
import type { Approval } from './settings.ts';

const SEMVER = 'https://semver.org/spec/v2.0.0.html';

/** What is told of approvals: not of a change, and so no kind of one. */
const notices = [
  {
    id: 'approval-expired',
    title: 'No approval has run out while its change is still there',
    help: 'The change is judged as if it had not been approved. Fix it, or approve it anew with a reason.',
  },
  {
    id: 'approval-unused',
    title: 'Every approval is of a change that is there',
    help: 'Nothing fits the approval: the change was fixed, or the approval has a mistake. Remove it.',
  },
] as const;

/** The kinds as the rules of a report. */
export function diffRules(strictness: Strictness): readonly ReportRule[] {
  return [
    ...kinds.map(({ id, title, levels, why, fix }) => ({
      id,
      title,
      level: levels[strictness],
      help: `${why} Fix: ${fix}.`,
      helpUri: SEMVER,
    })),
    ...notices.map((notice) => ({ ...notice, level: 'warning' as const, helpUri: SEMVER })),
  ];
}

export interface Documents {
  readonly old: LoadedDocument;
  readonly new: LoadedDocument;
}

/** Where a change is in the text of each document; null where it is in none. */
export interface Whereabouts {
  readonly old: Location | null;
  readonly new: Location | null;
}

export function whereaboutsOf(
  documents: Documents,
  change: Pick<Change, 'old' | 'new'>,
): Whereabouts {
  const locate = (document: LoadedDocument, pointer: string | null): Location | null => {
    if (pointer === null) return null;
    const { file, line, column, pointer: at } = document.problemAt(pointer, { what: '', fix: '' });
    return { file, line, column, pointer: at };
  };
  return { old: locate(documents.old, change.old), new: locate(documents.new, change.new) };
}

/** A change as a finding at its place in the newer document or, where it is in none, the older. */
export function toFinding(documents: Documents, change: Judged): Finding {
  const { old, new: fresh } = whereaboutsOf(documents, change);
  const place = fresh ?? old!;
  const before = fresh === null || old === null ? '' : ` (before: ${describeLocation(old)})`;
  const { level, row } = change;
  return {
    rule: row.id,
    level,
    message: `${sentenceOf(change)}${before}`,
    ...(level === 'info' ? {} : { fix: row.fix }),
    ...place,
  };
}

/** The change in one sentence, with a value that shows it and why it is judged as it is. */
export function sentenceOf({ subject, what, witness, note, row, level }: Judged): string {
  const sign =
    /^\(|^(?:is|has|was|says|means|may|costs|takes|allows|no longer|works|declares|answers|documents|calls|can|cannot|stands|follows)\b/;
  const joined = sign.test(what) ? `${subject} ${what}` : `${subject}: ${what}`;
  const isRefused = row.id.startsWith('request-');
  const now = isRefused ? 'was allowed and is not any more' : 'was not allowed and is now';
  const isPlain =
    witness === undefined ||
    /-(?:null|value)-(?:refused|allowed|removed|added|replaced)$/.test(row.id);
  const shows = isPlain || level === 'info' ? '' : `; ${shown(witness)} ${now}`;
  return `${joined}${shows}${note === null ? '' : ` (${note})`}`;
}

/** What is told of approvals, at the file they stand in. */
export function approvalFindings(diffs: readonly Diff[], file: string): readonly Finding[] {
  const expired = [...new Set(diffs.flatMap((diff) => diff.expired))];
  // An approval may be of one document of several.
  const unused = (diffs[0]?.unused ?? []).filter((approval) =>
    diffs.every((diff) => diff.unused.includes(approval)),
  );
  const place = { file, line: null, column: null, pointer: null };
  const nameOf = ({ kind, method, pointer }: Approval) =>
    [
      kind,
      ...(method === undefined ? [] : [`of ${method}`]),
      ...(pointer === undefined ? [] : [`at ${pointer}`]),
    ].join(' ');
  const level: Level = 'warning';
  return [
    ...expired.map((approval) => ({
      ...place,
      rule: notices[0].id,
      level,
      message: `the approval of ${nameOf(approval)} ran out on ${approval.until}`,
      fix: 'fix the change, or approve it anew',
    })),
    ...unused.map((approval) => ({
      ...place,
      rule: notices[1].id,
      level,
      message: `nothing fits the approval of ${nameOf(approval)}`,
      fix: 'remove it, or correct it',
    })),
  ];
}

/** What the changes ask of the version, in a line. */
export function tellVersion({ version }: Diff): string {
  const { old, new: fresh, required, lowest } = version;
  if (required === 'none')
    return `version: ${old} → ${fresh}; nothing changed that asks for another`;
  const asked = lowest === null ? `a ${required} step` : `${lowest} at least`;
  return `version: ${old} → ${fresh}; what changed asks for ${asked} (${required})`;
}
