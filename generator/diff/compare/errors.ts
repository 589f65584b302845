import { valueAt } from '../../../common/json/pointer.ts';
import type { ErrorModel, MethodErrorModel, Model } from '../../model/model.ts';
import { reportAt, shown, type Change } from '../change.ts';
import {
  compareSchemas,
  matchByKey,
  reportOf,
  type Both,
  type Context,
  type Finding,
  type MethodPair,
} from './context.ts';
import type { KindId } from '../kinds/index.ts';
import { canonicalValue, isSame } from '../../containment/canonical.ts';

/** Changes of the errors a method declares, by their codes. */
export function compareMethodErrors(pair: MethodPair): readonly Change[] {
  const [old, fresh] = [pair.old.errors, pair.new.errors];
  const nameOf = (error: MethodErrorModel) => `${error.code} (${error.name ?? error.message})`;
  // A shared error whose code changed is reported once, for the component.
  const notIn = (list: readonly MethodErrorModel[]) => {
    const codes = new Set(list.map(({ code }) => code));
    const names = new Set(list.map(({ name }) => name));
    return ({ code, name }: MethodErrorModel) =>
      !codes.has(code) && (name === null || !names.has(name));
  };
  const added = fresh.filter(notIn(old));
  const removed = old.filter(notIn(fresh));
  // A code may be declared more than once: unchanged declarations are not compared.
  const [oldTexts, freshTexts] = [textsInPlace(old), textsInPlace(fresh)];
  const changed = new Map<number, MethodErrorModel>();
  for (const error of old) {
    const isChanged = error.name === null && !freshTexts.has(textOf(error));
    if (isChanged && !changed.has(error.code)) changed.set(error.code, error);
  }
  const inPlace = fresh.flatMap((error): readonly Change[] => {
    if (error.name !== null || oldTexts.has(textOf(error))) return [];
    const was = changed.get(error.code);
    return was === undefined ? [] : compareText(pair, was, error);
  });
  const report = reportOf(pair, 'errors');
  return [
    ...added.map((error) => ({
      ...report('method-error-added', `declares the error ${nameOf(error)}`, undefined, error.code),
      error: nameOf(error),
    })),
    ...removed.map((error) => ({
      ...report(
        'method-error-removed',
        `no longer declares the error ${nameOf(error)}`,
        error.code,
      ),
      error: nameOf(error),
    })),
    ...inPlace,
  ];
}

/** Returns the texts of the errors that a method declares in place. */
function textsInPlace(errors: readonly MethodErrorModel[]): ReadonlySet<string> {
  return new Set(errors.filter(({ name }) => name === null).map(textOf));
}

/** Returns a text that is equal for errors without a difference. */
function textOf({ code, message, data }: MethodErrorModel): string {
  return JSON.stringify([String(code), message, data === undefined ? null : canonicalValue(data)]);
}

function compareText(pair: MethodPair, was: MethodErrorModel, is: MethodErrorModel): Change[] {
  const report = reportOf(pair, 'errors', `${pair.new.name}, error ${is.code}`);
  const changes: Change[] = [];
  if (was.message !== is.message) {
    const what = `has the message ${shown(is.message)} instead of ${shown(was.message)}`;
    changes.push(report('error-message-changed', what, was.message, is.message));
  }
  if (!isSame(was.data, is.data)) {
    const what = `has data ${shown(is.data)} instead of ${shown(was.data)}`;
    changes.push(report('error-data-changed', what, was.data, is.data));
  }
  return changes;
}

/** Changes of the error catalog: rows of `x-errors`, and the shared errors. */
export function compareErrors(context: Context): readonly Change[] {
  const rowsOf = ({ errors }: Model) =>
    errors.filter(({ pointer }) => !pointer.startsWith('/methods/'));
  const nameOf = ({ name }: ErrorModel) => name;
  const { removed, added, kept } = matchByKey(rowsOf(context.old), rowsOf(context.new), nameOf);
  return [
    ...removed.map(({ name, code, pointer }) =>
      reportAt({ subject: `error ${name}`, old: pointer, new: null, methods: [] })(
        'error-removed',
        `(${code}) was removed`,
        code,
      ),
    ),
    ...added.map(({ name, code, pointer }) =>
      reportAt({ subject: `error ${name}`, old: null, new: pointer, methods: [] })(
        'error-added',
        `(${code}) was added`,
        undefined,
        code,
      ),
    ),
    ...kept.flatMap((pair) => compareRow(context, pair)),
  ];
}

/** Members of a row that have a kind of their own. */
const MEMBERS: readonly (readonly [member: keyof ErrorModel, kind: KindId, words: string])[] = [
  ['code', 'error-code-changed', 'code'],
  ['message', 'error-message-changed', 'message'],
  ['reason', 'error-reason-changed', 'reason'],
  ['status', 'error-status-changed', 'HTTP status'],
];

const FLAGS: readonly (readonly [member: keyof ErrorModel, set: Finding, unset: Finding])[] = [
  [
    'retryable',
    ['error-became-retryable', 'can now be retried'],
    ['error-no-longer-retryable', 'can no longer be retried'],
  ],
  [
    'charged',
    ['error-became-charged', 'now costs credits'],
    ['error-no-longer-charged', 'no longer costs credits'],
  ],
];

function compareRow(context: Context, { old, new: fresh }: Both<ErrorModel>): readonly Change[] {
  const subject = `error ${fresh.name}`;
  const report = (member: keyof ErrorModel, [kind, what]: Finding): Change => {
    const places = { old: `${old.pointer}/${member}`, new: `${fresh.pointer}/${member}` };
    return reportAt({ ...places, subject, methods: [] })(kind, what, old[member], fresh[member]);
  };
  const values = MEMBERS.filter(([member]) => old[member] !== fresh[member]).map(
    ([member, kind, words]) => {
      const what = `has the ${words} ${shown(fresh[member])} instead of ${shown(old[member])}`;
      return report(member, [kind, what]);
    },
  );
  const flags = FLAGS.filter(([member]) => old[member] !== fresh[member]).map(
    ([member, set, unset]) => report(member, fresh[member] === true ? set : unset),
  );
  const docs: Finding = ['error-docs-changed', 'is documented differently'];
  const areDocsSame = old.cause === fresh.cause && old.fix === fresh.fix;
  return [
    ...values,
    ...flags,
    ...(areDocsSame ? [] : [report('cause', docs)]),
    ...compareRowData(context, { old, new: fresh }),
  ];
}

function compareRowData(context: Context, pair: Both<ErrorModel>): readonly Change[] {
  const { old, new: fresh } = pair;
  const pointers = { old: `${old.pointer}/data`, new: `${fresh.pointer}/data` };
  if (old.data === null || fresh.data === null) {
    const [was, is] = (['old', 'new'] as const).map((side) =>
      valueAt(context[side].document, pointers[side]),
    );
    if (isSame(was, is)) return [];
    const what = `has data ${shown(is)} instead of ${shown(was)}`;
    const report = reportAt({ ...pointers, subject: `error ${fresh.name}`, methods: [] });
    return [report('error-data-changed', what, was, is)];
  }
  const subject = `error ${fresh.name}, data`;
  const places = {
    old: { schema: old.data, pointer: pointers.old },
    new: { schema: fresh.data, pointer: pointers.new },
  };
  const use = { direction: 'response', root: `\n${subject}`, subject, methods: [] } as const;
  return compareSchemas(context, places, use);
}
