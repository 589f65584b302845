import { createNames } from '../../model/names.ts';
import type { ErrorModel, MethodErrorModel, Model } from '../../model/model.ts';
import { nameOfReason } from './runtime/error-name.ts';
import { PASSING_STATUSES } from './runtime/client-error.ts';

/** Names that are spoken for: the package's own, and JavaScript's. */
const RESERVED: ReadonlySet<string> = new Set(
  `ClientError RpcError ServiceError TimeoutError TransportError ValidationError WireError
  AggregateError Error EvalError RangeError ReferenceError SuppressedError SyntaxError TypeError
  URIError`.split(/\s+/),
);

/** A row of the error catalogue and the class it becomes. */
export interface ErrorClass {
  readonly row: ErrorModel;
  /** "CreditsExhaustedError" for the row "CreditsExhausted". */
  readonly className: string;
  /** True for an executed REVERT, whose class reads the decoded reason. */
  readonly isRevert: boolean;
  /** True when an answer names the row in `data.reason`; a node's error is passed on without. */
  readonly named: boolean;
}

/** The error classes of a document, in the order of its catalogue. */
export function nameErrorClasses(model: Model): readonly ErrorClass[] {
  const names = createNames({ kind: 'OfService', reserved: RESERVED, casing: 'pascal' });
  return model.errors.map((row) => ({
    row,
    className: names.claim(row.name.endsWith('Error') ? row.name : `${row.name}Error`),
    isRevert: row.code === 3 && /revert/i.test(`${row.name} ${row.message}`),
    named: row.reason !== null && row.origin !== 'node',
  }));
}

/** The classes an error declared by a method can come as. */
export function classesOf(
  error: MethodErrorModel,
  classes: readonly ErrorClass[],
): readonly ErrorClass[] {
  const ofName = classes.filter(({ row }) => error.name !== null && row.error === error.name);
  if (ofName.length > 0) return ofName;
  return classes.filter(({ row }) => row.code === error.code && row.message === error.message);
}

/**
 * How errors that may be gone when the same call is sent again are told: by their codes, save for
 * the reasons of those codes that will not pass.
 */
export function findPassing(
  classes: readonly ErrorClass[],
): Readonly<Record<string, readonly string[]>> {
  const named = classes.filter((each) => each.named);
  const mayPass = ({ row }: ErrorClass) =>
    row.retryable !== false && PASSING_STATUSES.includes(row.status);
  const codes = new Set(named.filter(mayPass).map(({ row }) => row.code));
  const lasting = (code: number) =>
    named.filter((each) => each.row.code === code && !mayPass(each)).map(({ row }) => row.reason!);
  return Object.fromEntries([...codes].map((code) => [code, lasting(code)]));
}

/**
 * What is needed beside the reason of an error to name its class: by code and reason where the
 * class is not called after the reason; for errors that name none by code, or by code and message
 * where the document has several of the code.
 */
export function exceptionalNames(classes: readonly ErrorClass[]): ReadonlyMap<string, string> {
  const unnamed = classes.filter(({ named }) => !named);
  const isSole = ({ row }: ErrorClass) =>
    unnamed.filter(({ row: { code } }) => code === row.code).length === 1;
  return new Map([
    ...classes
      .filter(({ row, named, className }) => named && nameOfReason(row.reason!) !== className)
      .map(({ row, className }): [string, string] => [`${row.code} ${row.reason}`, className]),
    ...unnamed.map((each): [string, string] => [
      isSole(each) ? String(each.row.code) : `${each.row.code} ${each.row.message}`,
      each.className,
    ]),
  ]);
}
