import {
  type Diagnostic,
  type Location,
  describeLocation,
  wholeFile,
} from '../../common/diagnostic.ts';
import { onOneLine } from '../../common/escape/text.ts';
import type { LoadedDocument } from '../document.ts';
import { countSeverities, type ReportRule } from '../report/report.ts';
import { countRules } from '../report/summary.ts';
import { listed, shown, type Change } from './change.ts';
import type { Diff } from './diff.ts';
import { isUndecided, kindLevels, type LevelOptions } from './classify.ts';
import type { GroupedChange } from './group.ts';
import { kinds, type KindId } from './kinds/index.ts';
import { unknownKind, type Approval } from './settings.ts';

const SEMVER = 'https://semver.org/spec/v2.0.0.html';

/** Diagnostics about approvals, which are not kinds of changes. */
const notices = [
  {
    id: 'approval-expired',
    title: 'Approvals that match a change have not expired',
    help: 'The change counts as not approved. Fix it, or approve it again with a reason.',
  },
  {
    id: 'approval-unused',
    title: 'Approvals match a change',
    help: 'No change matches the approval: the change was fixed, or the approval is wrong. Remove it.',
  },
] as const;

/** The kinds that are not switched off, as the rules of a report. */
export function diffRules(options: LevelOptions): readonly ReportRule[] {
  const levels = kindLevels(options);
  return [
    ...kinds.flatMap(({ id, title, why, fix }): readonly ReportRule[] => {
      const all = levels.get(id)!.all.map(({ level }) => level);
      const severity = all.find((level) => level !== 'off');
      if (severity === undefined) return [];
      return [{ id, title, severity, help: `${why} Fix: ${fix}.`, helpUri: SEMVER }];
    }),
    ...notices.map((notice) => ({ ...notice, severity: 'warning' as const, helpUri: SEMVER })),
  ];
}

export interface Documents {
  readonly old: LoadedDocument;
  readonly new: LoadedDocument;
}

function locationsOf(documents: Documents, change: Pick<Change, 'old' | 'new'>) {
  const locate = (side: 'old' | 'new'): Location | null => {
    const pointer = change[side];
    return pointer === null ? null : documents[side].locate(pointer);
  };
  return { old: locate('old'), new: locate('new') };
}

/** Converts a change to a diagnostic in the newer document, or in the older for a removal. */
export function toDiagnostic(documents: Documents, change: GroupedChange): Diagnostic {
  const { old, new: fresh } = locationsOf(documents, change);
  const before = fresh === null || old === null ? '' : ` (before: ${describeLocation(old)})`;
  const { severity, row } = change;
  return {
    code: row.id,
    severity,
    message: `${sentenceOf(change)}${before}`,
    // A project may raise the level of a change that requires nothing of its author.
    ...(severity === 'info' || row.fix.startsWith('nothing') ? {} : { fix: row.fix }),
    location: fresh ?? old!,
  };
}

/** Returns the data that `--format json` prints for a comparison; undefined members are omitted. */
export function toJson(diff: Diff, documents: Documents, notices: readonly Diagnostic[]) {
  const { changes: _changes, ...version } = diff.version;
  const changes = diff.changes.map((change) => ({
    ...toDiagnostic(documents, change),
    message: sentenceOf(change),
    bump: change.bump,
    methods: change.methods,
    ...locationsOf(documents, change),
    others: change.others.map(({ subject, ...place }) => {
      return { subject, ...locationsOf(documents, place) };
    }),
    before: change.before,
    after: change.after,
    witness: change.witness,
    approval: change.approval ?? undefined,
  }));
  return {
    strictness: diff.strictness,
    counts: countSeverities([...diff.changes, ...notices]),
    summary: countRules([...changes, ...notices]),
    undecided: diff.changes.filter(isUndecided).length,
    version,
    diagnostics: [...changes, ...notices],
  };
}

/** Kinds whose change is the witness itself. */
const WITHOUT_WITNESS: ReadonlySet<KindId> = new Set([
  'request-null-disallowed',
  'request-null-allowed',
  'request-value-removed',
  'request-value-added',
  'response-null-disallowed',
  'response-null-allowed',
  'response-value-removed',
  'response-value-added',
  'response-value-replaced',
]);

/** Describes the change in one sentence, with an example value and the reason for its severity. */
export function sentenceOf(change: GroupedChange): string {
  const { subject, what, witness, note, row, severity } = change;
  const joined = STARTS_WITH_VERB.test(what) ? `${subject} ${what}` : `${subject}: ${what}`;
  const isObvious = WITHOUT_WITNESS.has(change.kind);
  const effect = row.id.startsWith('request-') ? 'is no longer allowed' : 'was not allowed before';
  const shows =
    witness === undefined || isObvious || severity === 'info'
      ? ''
      : `; ${shown(witness)} ${effect}`;
  return `${joined}${shows}${describeOthers(change)}${note === null ? '' : ` (${note})`}`;
}

/** Maximum number of members, methods or, without methods, subjects that a sentence lists. */
const MAX_LISTED = 6;

function describeOthers({ others, members, repeats, methods }: GroupedChange): string {
  const same = members.length === 0 ? '' : `; the same for ${listed(members, MAX_LISTED)}`;
  if (repeats === 0) return same;
  const places = `${repeats} more ${repeats === 1 ? 'place' : 'places'}`;
  const names = methods.length > 0 ? methods : others.map(({ subject }) => subject);
  return `${same}; the same at ${places} (${listed(names, MAX_LISTED)})`;
}

const STARTS_WITH_VERB =
  /^\(|^(?:is|has|was|says|means|may|costs|takes|allows|no longer|works|defaults|now|also|still|returns|declares|answers|documents|calls|can|cannot|stands|follows)\b/;

/** Returns the diagnostics about approvals, located in their file. */
export function approvalDiagnostics(diffs: readonly Diff[], file: string): readonly Diagnostic[] {
  const expired = [...new Set(diffs.flatMap((diff) => diff.expired))];
  // With several documents, an approval may be about one of them.
  const unused = (diffs[0]?.unused ?? []).filter((approval) =>
    diffs.every((diff) => diff.unused.includes(approval)),
  );
  const notice = (index: 0 | 1, message: string, fix: string): Diagnostic => ({
    location: wholeFile(file),
    code: notices[index].id,
    severity: 'warning',
    message,
    fix,
  });
  const nameOf = ({ kind, method, pointer }: Approval) =>
    `${kind}${method === undefined ? '' : ` of ${method}`}${pointer === undefined ? '' : ` at ${pointer}`}`;
  return [
    ...expired.map((approval) => {
      const message = `the approval of ${nameOf(approval)} expired on ${approval.until}`;
      return notice(0, message, 'fix the change, or approve it again');
    }),
    ...unused.map((approval) =>
      notice(1, `no change matches the approval of ${nameOf(approval)}`, fixFor(approval)),
    ),
  ];
}

function fixFor({ kind }: Approval): string {
  return kinds.some(({ id }) => id === kind)
    ? 'remove or correct it'
    : Object.values(unknownKind(kind)).join('; ');
}

/** Returns a line about the comparisons that were not decided, or an empty text. */
export function describeUndecided({ changes }: Diff): string {
  const count = changes.filter(isUndecided).length;
  return count === 0 ? '' : `undecided: ${count}; --undecided error makes them errors`;
}

/** Describes the required version in one line. */
export function describeVersion({ version }: Diff): string {
  const { required, lowest } = version;
  const [old, fresh] = [version.old, version.new].map((text) => onOneLine(text) || '(none)');
  if (required === 'none')
    return `version: ${old} → ${fresh}; the changes do not require a new version`;
  const least = lowest === null ? `a ${required} version` : `at least ${lowest} (${required})`;
  return `version: ${old} → ${fresh}; the changes require ${least}`;
}
