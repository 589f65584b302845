import type { ErrorModel } from '../../model/model.ts';
import { docComment } from '../comment.ts';
import { literal } from '../literal.ts';
import { typeText } from '../types/type-text.ts';
import type { ErrorClass } from './error-classes.ts';
import { escapeTags } from './text.ts';

/** What the templates are told of an error class; all TypeScript as text. */
export interface ErrorView {
  readonly doc: string;
  readonly className: string;
  readonly base: string;
  readonly typeArguments: string;
  /** The type of `data`; "" when the document does not say. */
  readonly data: string;
  /** True when that type names component schemas. */
  readonly namesTypes: boolean;
  readonly classNameLiteral: string;
  readonly code: string;
  readonly reason: string;
  readonly message: string;
  readonly named: string;
  readonly retryable: string;
  readonly charged: string;
  readonly mend: string;
}

/** Writes an error class as the templates need it; `typeNames` says what component schemas are called. */
export async function viewError(
  { row, className, isRevert, named }: ErrorClass,
  typeNames: ReadonlyMap<string, string>,
): Promise<ErrorView> {
  let namesTypes = false;
  const nameOf = (component: string): string => {
    namesTypes = true;
    return `T.${typeNames.get(component) ?? 'never'}`;
  };
  const data = row.data === null ? '' : (await typeText(row.data, nameOf)).body;
  const dataType = data === '' ? 'unknown' : `${className}Data`;
  return {
    doc: docComment(documentError(row)),
    className,
    base: isRevert ? 'RevertError' : 'RpcError',
    typeArguments: [literal(row.code), reasonType(row), dataType].join(', '),
    data,
    namesTypes,
    classNameLiteral: literal(className),
    code: literal(row.code),
    reason: literal(row.reason),
    message: literal(row.message),
    named: literal(named),
    retryable: literal(row.retryable),
    charged: literal(row.charged),
    mend: literal(row.mend),
  };
}

// Without a reason in the document, an answer may still bear one.
function reasonType({ reason }: ErrorModel): string {
  return reason === null ? 'string | null' : literal(reason);
}

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
    row.mend === null ? '' : `Mend: ${escapeTags(row.mend)}`,
    `${facts.join('; ')}.`,
  ];
}
