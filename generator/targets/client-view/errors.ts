import { cutText, onOneLine } from '../../../common/escape/text.ts';
import type { ErrorModel, MethodModel, Model } from '../../model/model.ts';
import { createNames } from '../../model/names.ts';
import { wordSet } from '../../model/reserved.ts';
import { shownRowsOf } from './shown-rows.ts';

/** Names of the client packages' own errors and of JavaScript's. */
const RESERVED = wordSet(`
  ClientError RpcError ServiceError TimeoutError TransportError ValidationError WireError
  AggregateError Error EvalError RangeError ReferenceError SuppressedError SyntaxError TypeError
  URIError`);

/** HTTP statuses of failures that are likely to be temporary. The client runtimes use the same. */
const RETRYABLE_STATUSES = new Set<number | null>([429, 502, 503, 504]);

/** A row of the error catalog and its class. */
export interface ErrorClass {
  readonly row: ErrorModel;
  /** "CreditsExhaustedError" for the row "CreditsExhausted". */
  readonly className: string;
  /** Whether responses name the row in `data.reason`. Errors of nodes do not. */
  readonly hasReason: boolean;
  /** Whether no other error without a reason has its code. */
  readonly isOnlyOfCode: boolean;
}

/** Names the error classes of a document, in the order of its catalog. */
export function nameErrorClasses(model: Model): readonly ErrorClass[] {
  const names = createNames({ kind: 'OfService', reserved: RESERVED, casing: 'pascal' });
  const hasReason = ({ reason, origin }: ErrorModel) => reason !== null && origin !== 'node';
  const others = Map.groupBy(
    model.errors.filter((row) => !hasReason(row)),
    ({ code }) => code,
  );
  return model.errors.map((row) => ({
    row,
    className: names.claim(row.name.endsWith('Error') ? row.name : `${row.name}Error`),
    hasReason: hasReason(row),
    isOnlyOfCode: !hasReason(row) && others.get(row.code)!.length === 1,
  }));
}

/** Returns the class name of each row of the catalog. */
export function listClassNames(classes: readonly ErrorClass[]): ReadonlyMap<ErrorModel, string> {
  return new Map(classes.map(({ row, className }) => [row, className]));
}

/** Maximum number of characters of a message that is repeated for each method. */
export const MAX_MESSAGE = 1_000;

/** Describes an error that a method declares: its class names, its code and message. */
export function describeThrown(
  { errors }: MethodModel,
  model: Model,
  classNames: ReadonlyMap<ErrorModel, string>,
): readonly { readonly names: readonly string[]; readonly what: string }[] {
  return errors.map((error) => {
    const { rows, hidden } = shownRowsOf(model, error, 'name');
    const names = rows.map((row) => classNames.get(row)!);
    const more = hidden === 0 ? '' : `; further classes: ${hidden}`;
    return {
      names,
      what: `${error.code}: ${onOneLine(cutText(error.message, MAX_MESSAGE))}${more}`,
    };
  });
}

/** Returns the codes of retryable errors, each with the reasons of that code that are not retryable. */
export function findRetryable(
  classes: readonly ErrorClass[],
): Readonly<Record<string, readonly string[]>> {
  const rows = classes.filter(({ hasReason }) => hasReason).map(({ row }) => row);
  const isRetryable = ({ retryable, status }: ErrorModel) =>
    retryable !== false && RETRYABLE_STATUSES.has(status);
  const codes = new Set(rows.filter(isRetryable).map(({ code }) => code));
  const finalRows = Map.groupBy(
    rows.filter((row) => !isRetryable(row)),
    ({ code }) => code,
  );
  const finalReasons = (code: number) => (finalRows.get(code) ?? []).map(({ reason }) => reason!);
  return Object.fromEntries([...codes].map((code) => [code, finalReasons(code)]));
}

/** Returns the paragraphs of an error class's documentation. */
export function documentError(row: ErrorModel): readonly string[] {
  const { code, status, charged, retryable } = row;
  const facts = [
    `Code ${code}`,
    ...(status === null ? [] : [`HTTP status ${status}`]),
    ...(charged === null ? [] : [charged ? 'charged' : 'not charged']),
    ...(retryable === null ? [] : [retryable ? 'retryable' : 'not retryable']),
  ];
  return [
    row.message || row.name,
    row.cause ?? '',
    row.fix === null ? '' : `Fix: ${row.fix}`,
    `${facts.join('; ')}.`,
  ];
}
