import type { ErrorModel } from '../../model/model.ts';
import { docComment, escapeTags } from '../../../common/escape/script.ts';
import { literal } from '../literal.ts';
import { typeText } from '../types/type-text.ts';
import type { ErrorClass } from './error-classes.ts';

/** What the templates are told of an error class; all TypeScript as text. */
export interface ErrorView {
  readonly doc: string;
  readonly className: string;
  /** The arguments of RpcError: code, reason, data. */
  readonly typeArguments: string;
  /** The type of `data`; "" when the document does not say. */
  readonly data: string;
  /** True when the members of `data` are the error's own as well. */
  readonly spreads: boolean;
  /** True when that type names component schemas. */
  readonly namesTypes: boolean;
  /** Name and code, as arguments. */
  readonly identity: string;
  /** What the document says of the error, as an object literal. */
  readonly facts: string;
}

/** Writes an error class as the templates need it; `typeNames` says what component schemas are called. */
export async function viewError(
  { row, className, named }: ErrorClass,
  typeNames: ReadonlyMap<string, string>,
): Promise<ErrorView> {
  let namesTypes = false;
  const nameOf = (component: string): string => {
    namesTypes = true;
    return `T.${typeNames.get(component) ?? 'never'}`;
  };
  const { isInterface, body } = row.data === null ? NO_TYPE : await typeText(row.data, nameOf);
  const dataType = body === '' ? 'unknown' : `${className}Data`;
  const { code, reason, status, retryable, charged, cause, fix } = row;
  return {
    doc: docComment(documentError(row)),
    className,
    typeArguments: [literal(code), named ? literal(reason) : 'null', dataType].join(', '),
    data: body,
    spreads: named && isInterface,
    namesTypes,
    identity: `${literal(className)}, ${literal(code)}`,
    facts: literal({ code, reason, status, retryable, charged, cause, fix }),
  };
}

const NO_TYPE = { isInterface: false, body: '' };

function documentError(row: ErrorModel): readonly string[] {
  const facts = [
    `Code ${row.code}`,
    row.status === null ? '' : `HTTP status ${row.status}`,
    row.charged === null ? '' : row.charged ? 'charged' : 'not charged',
    row.retryable === null ? '' : row.retryable ? 'may be retried' : 'not to be retried',
  ].filter((fact) => fact !== '');
  return [
    escapeTags(row.message || row.name),
    escapeTags(row.cause ?? ''),
    row.fix === null ? '' : `Fix: ${escapeTags(row.fix)}`,
    `${facts.join('; ')}.`,
  ];
}
