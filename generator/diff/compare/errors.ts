import { valueAt } from '../../../common/json/pointer.ts';
import type { ErrorModel, MethodErrorModel, Model } from '../../model/model.ts';
import { shown, type Change } from '../change.ts';
import { compareAnnotations } from '../schema/annotations.ts';
import { ofMethod, type Context, type MethodPair } from './context.ts';
import { isSame } from './equal.ts';

/** Changes of which errors a method declares, by their codes. */
export function compareMethodErrors(pair: MethodPair): readonly Change[] {
  const [old, fresh] = [pair.old.errors, pair.new.errors];
  const nameOf = (error: MethodErrorModel) => `${error.code} (${error.name ?? error.message})`;
  // A shared error whose code changed is reported once, for the component.
  const isIn = (list: readonly MethodErrorModel[], { code, name }: MethodErrorModel) =>
    list.some((each) => each.code === code || (name !== null && each.name === name));
  const added = fresh.filter((error) => !isIn(old, error));
  const removed = old.filter((error) => !isIn(fresh, error));
  // A code may be declared more than once: what stayed as it was is left out of account.
  const isKept = (list: readonly MethodErrorModel[], error: MethodErrorModel) =>
    list.some((each) => each.message === error.message && isSame(each.data, error.data));
  const inPlace = fresh.flatMap((error): Change[] => {
    const isOfCode = ({ code, name }: MethodErrorModel) => code === error.code && name === null;
    if (error.name !== null || isKept(old.filter(isOfCode), error)) return [];
    const was = old.filter(isOfCode).find((each) => !isKept(fresh.filter(isOfCode), each));
    return was === undefined ? [] : compareText(pair, was, error);
  });
  return [
    ...added.map((error) =>
      ofMethod(pair, 'errors', {
        kind: 'method-error-added',
        what: `declares the error ${nameOf(error)}`,
        after: error.code,
      }),
    ),
    ...removed.map((error) =>
      ofMethod(pair, 'errors', {
        kind: 'method-error-removed',
        what: `no longer declares the error ${nameOf(error)}`,
        before: error.code,
      }),
    ),
    ...inPlace,
  ];
}

function compareText(pair: MethodPair, was: MethodErrorModel, is: MethodErrorModel): Change[] {
  const subject = `${pair.new.name}, error ${is.code}`;
  const changes: Change[] = [];
  if (was.message !== is.message) {
    const what = `says ${shown(is.message)} instead of ${shown(was.message)}`;
    const values = { before: was.message, after: is.message };
    changes.push(
      ofMethod(pair, 'errors', { kind: 'error-message-changed', subject, what, ...values }),
    );
  }
  if (!isSame(was.data, is.data)) {
    const what = `has data ${shown(is.data)} instead of ${shown(was.data)}`;
    const values = { before: was.data, after: is.data };
    changes.push(
      ofMethod(pair, 'errors', { kind: 'error-data-changed', subject, what, ...values }),
    );
  }
  return changes;
}

/** Members of a row that have a kind of their own. */
const MEMBERS: readonly (readonly [member: keyof ErrorModel, kind: string, words: string])[] = [
  ['code', 'error-code-changed', 'code'],
  ['message', 'error-message-changed', 'message'],
  ['reason', 'error-reason-changed', 'reason'],
  ['status', 'error-status-changed', 'HTTP status'],
];

/** Changes of the error catalog: rows of `x-errors`, and the shared errors. */
export function compareErrors(context: Context): readonly Change[] {
  const named = (errors: readonly ErrorModel[]) =>
    new Map(
      errors
        .filter(({ pointer }) => !pointer.startsWith('/methods/'))
        .map((each) => [each.name, each]),
    );
  const [old, fresh] = [named(context.old.errors), named(context.new.errors)];
  const removed = [...old.values()].filter(({ name }) => !fresh.has(name));
  const added = [...fresh.values()].filter(({ name }) => !old.has(name));
  return [
    ...removed.map((error) => ({
      kind: 'error-removed',
      subject: `error ${error.name}`,
      what: `(${error.code}) is gone`,
      old: error.pointer,
      new: null,
      before: error.code,
      methods: [],
    })),
    ...added.map((error) => ({
      kind: 'error-added',
      subject: `error ${error.name}`,
      what: `(${error.code}) was added`,
      old: null,
      new: error.pointer,
      after: error.code,
      methods: [],
    })),
    ...[...old.values()].flatMap((error) => {
      const other = fresh.get(error.name);
      return other === undefined ? [] : compareRow(context, error, other);
    }),
  ];
}

function compareRow(context: Context, old: ErrorModel, fresh: ErrorModel): readonly Change[] {
  const toChange = (kind: string, what: string, member: keyof ErrorModel): Change => ({
    kind,
    what,
    subject: `error ${fresh.name}`,
    old: `${old.pointer}/${member}`,
    new: `${fresh.pointer}/${member}`,
    before: old[member],
    after: fresh[member],
    methods: [],
  });
  const changes = MEMBERS.filter(([member]) => old[member] !== fresh[member]).map(
    ([member, kind, words]) =>
      toChange(
        kind,
        `has the ${words} ${shown(fresh[member])} instead of ${shown(old[member])}`,
        member,
      ),
  );
  if (old.retryable !== fresh.retryable) {
    changes.push(
      fresh.retryable === true
        ? toChange('error-became-retryable', 'can be retried now', 'retryable')
        : toChange('error-no-longer-retryable', 'cannot be retried any more', 'retryable'),
    );
  }
  if (old.charged !== fresh.charged) {
    changes.push(
      fresh.charged === true
        ? toChange('error-became-charged', 'costs credits now', 'charged')
        : toChange('error-no-longer-charged', 'costs nothing now', 'charged'),
    );
  }
  if (old.cause !== fresh.cause || old.fix !== fresh.fix) {
    changes.push(toChange('error-docs-changed', 'is explained otherwise', 'cause'));
  }
  return [...changes, ...compareRowData(context, old, fresh, toChange)];
}

function compareRowData(
  context: Context,
  old: ErrorModel,
  fresh: ErrorModel,
  toChange: (kind: string, what: string, member: keyof ErrorModel) => Change,
): readonly Change[] {
  if (old.data === null || fresh.data === null) {
    const dataOf = (model: Model, { pointer }: ErrorModel) =>
      valueAt(model.document, `${pointer}/data`);
    const [was, is] = [dataOf(context.old, old), dataOf(context.new, fresh)];
    if (isSame(was, is)) return [];
    const change = toChange(
      'error-data-changed',
      `has data ${shown(is)} instead of ${shown(was)}`,
      'data',
    );
    return [{ ...change, before: was, after: is }];
  }
  const places = {
    old: { schema: old.data, pointer: `${old.pointer}/data` },
    new: { schema: fresh.data, pointer: `${fresh.pointer}/data` },
  };
  const subject = `error ${fresh.name}, data`;
  context.schemas.compare(
    { old: { side: 'old', ...places.old }, new: { side: 'new', ...places.new } },
    'response',
    `\n${subject}`,
  );
  return compareAnnotations(context, { ...places, subject, methods: [], isParam: false });
}
