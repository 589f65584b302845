import {
  type Diagnostic,
  type Location,
  type Severity,
  describeLocation,
  wholeFile,
} from '../../common/diagnostic.ts';
import type { LoadedDocument } from '../document.ts';
import type { ReportRule } from '../report/report.ts';
import { shown, type Change } from './change.ts';
import type { Diff } from './diff.ts';
import type { ClassifiedChange } from './classify.ts';
import { kinds } from './kinds/index.ts';
import type { Strictness } from './kinds/kind.ts';
import type { Approval } from './settings.ts';

const SEMVER = 'https://semver.org/spec/v2.0.0.html';

/** Rules about approvals, which are not kinds of changes. */
const notices = [
  {
    id: 'approval-expired',
    title: 'Approvals of present changes have not expired',
    help: 'The change counts as not approved. Fix it, or approve it again with a reason.',
  },
  {
    id: 'approval-unused',
    title: 'Approvals match a change',
    help: 'No change matches the approval: the change was fixed, or the approval is wrong. Remove it.',
  },
] as const;

/** The kinds as the rules of a report. */
export function diffRules(strictness: Strictness): readonly ReportRule[] {
  return [
    ...kinds.map(({ id, title, levels, why, fix }) => ({
      id,
      title,
      severity: levels[strictness],
      help: `${why} Fix: ${fix}.`,
      helpUri: SEMVER,
    })),
    ...notices.map((notice) => ({ ...notice, severity: 'warning' as const, helpUri: SEMVER })),
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
    return document.locate(pointer);
  };
  return { old: locate(documents.old, change.old), new: locate(documents.new, change.new) };
}

/** A change as a finding at its place in the newer document or, where it is in none, the older. */
export function toDiagnostic(documents: Documents, change: ClassifiedChange): Diagnostic {
  const { old, new: fresh } = whereaboutsOf(documents, change);
  const place = fresh ?? old!;
  const before = fresh === null || old === null ? '' : ` (before: ${describeLocation(old)})`;
  const { severity, row } = change;
  return {
    code: row.id,
    severity,
    message: `${sentenceOf(change)}${before}`,
    ...(severity === 'info' ? {} : { fix: row.fix }),
    location: place,
  };
}

/** Describes the change in one sentence, with an example value and the reason for its severity. */
export function sentenceOf({
  subject,
  what,
  witness,
  note,
  row,
  severity,
}: ClassifiedChange): string {
  const sign =
    /^\(|^(?:is|has|was|says|means|may|costs|takes|allows|no longer|works|defaults|now|returns|declares|answers|documents|calls|can|cannot|stands|follows)\b/;
  const joined = sign.test(what) ? `${subject} ${what}` : `${subject}: ${what}`;
  const isRefused = row.id.startsWith('request-');
  const now = isRefused ? 'was allowed and is not any more' : 'was not allowed and is now';
  const isPlain =
    witness === undefined ||
    /-(?:null|value)-(?:refused|allowed|removed|added|replaced)$/.test(row.id);
  const shows = isPlain || severity === 'info' ? '' : `; ${shown(witness)} ${now}`;
  return `${joined}${shows}${note === null ? '' : ` (${note})`}`;
}

/** Returns the diagnostics about approvals, located in their file. */
export function approvalDiagnostics(diffs: readonly Diff[], file: string): readonly Diagnostic[] {
  const expired = [...new Set(diffs.flatMap((diff) => diff.expired))];
  // An approval may be of one document of several.
  const unused = (diffs[0]?.unused ?? []).filter((approval) =>
    diffs.every((diff) => diff.unused.includes(approval)),
  );
  const location = wholeFile(file);
  const nameOf = ({ kind, method, pointer }: Approval) =>
    [
      kind,
      ...(method === undefined ? [] : [`of ${method}`]),
      ...(pointer === undefined ? [] : [`at ${pointer}`]),
    ].join(' ');
  const severity: Severity = 'warning';
  return [
    ...expired.map((approval) => ({
      location,
      code: notices[0].id,
      severity,
      message: `the approval of ${nameOf(approval)} ran out on ${approval.until}`,
      fix: 'fix the change, or approve it again',
    })),
    ...unused.map((approval) => ({
      location,
      code: notices[1].id,
      severity,
      message: `nothing fits the approval of ${nameOf(approval)}`,
      fix: 'remove it, or correct it',
    })),
  ];
}

/** What the changes ask of the version, in a line. */
export function describeVersion({ version }: Diff): string {
  const { old, new: fresh, required, lowest } = version;
  if (required === 'none')
    return `version: ${old} → ${fresh}; nothing changed that asks for another`;
  const asked = lowest === null ? `a ${required} step` : `${lowest} at least`;
  return `version: ${old} → ${fresh}; what changed asks for ${asked} (${required})`;
}
