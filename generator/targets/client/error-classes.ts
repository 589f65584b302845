import { createNames } from '../../model/names.ts';
import type { ErrorModel, MethodErrorModel, Model } from '../../model/model.ts';

/** Names that are spoken for: the package's own, and JavaScript's. */
const RESERVED: ReadonlySet<string> = new Set(
  `ClientError RevertError RpcError ServiceError TimeoutError TransportError WireError
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
