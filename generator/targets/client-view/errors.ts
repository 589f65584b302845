import { onOneLine } from '../../../common/escape/text.ts';
import { rowsOf } from '../../model/errors.ts';
import type { ErrorModel, MethodModel, Model } from '../../model/model.ts';
import { createNames } from '../../model/names.ts';
import { wordSet } from '../../model/reserved.ts';

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
}

/** Names the error classes of a document, in the order of its catalog. */
export function nameErrorClasses(model: Model): readonly ErrorClass[] {
  const names = createNames({ kind: 'OfService', reserved: RESERVED, casing: 'pascal' });
  return model.errors.map((row) => ({
    row,
    className: names.claim(row.name.endsWith('Error') ? row.name : `${row.name}Error`),
    hasReason: row.reason !== null && row.origin !== 'node',
  }));
}

/** Checks whether a class is the only one with its code among the errors without a reason. */
export function isOnlyOfCode({ row }: ErrorClass, classes: readonly ErrorClass[]): boolean {
  return classes.filter((each) => !each.hasReason && each.row.code === row.code).length === 1;
}

/** Describes an error that a method declares: its class names, its code and message. */
export function describeThrown(
  { errors }: MethodModel,
  model: Model,
  classes: readonly ErrorClass[],
): readonly { readonly names: readonly string[]; readonly what: string }[] {
  return errors.map((error) => {
    const rows = rowsOf(model, error);
    const names = classes.filter(({ row }) => rows.includes(row)).map(({ className }) => className);
    return { names, what: `${error.code}: ${onOneLine(error.message)}` };
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
  const finalReasons = (code: number) =>
    rows.filter((row) => row.code === code && !isRetryable(row)).map(({ reason }) => reason!);
  return Object.fromEntries([...codes].map((code) => [code, finalReasons(code)]));
}

/** Returns the paragraphs of an error class's documentation. */
export function documentError(row: ErrorModel, escape = (text: string) => text): readonly string[] {
  const { code, status, charged, retryable } = row;
  const facts = [
    `Code ${code}`,
    ...(status === null ? [] : [`HTTP status ${status}`]),
    ...(charged === null ? [] : [charged ? 'charged' : 'not charged']),
    ...(retryable === null ? [] : [retryable ? 'retryable' : 'not retryable']),
  ];
  return [
    escape(row.message || row.name),
    escape(row.cause ?? ''),
    row.fix === null ? '' : `Fix: ${escape(row.fix)}`,
    `${facts.join('; ')}.`,
  ];
}
