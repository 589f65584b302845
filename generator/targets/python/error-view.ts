import { pythonString } from '../../../common/escape/python.ts';
import type { ErrorModel } from '../../model/model.ts';
import { createNames } from '../../model/names.ts';
import type { ErrorClass } from '../client/error-classes.ts';
import { snakeCase } from './casing.ts';
import { docstring } from './docstring.ts';
import { plainLiteral } from './literal.ts';
import { reservedErrorMembers } from './reserved.ts';
import { type MemberType, type TypeWriter } from './types/type-writer.ts';
import { printType, type PythonType, unionOf } from './types/python-type.ts';

/** What the templates are told of an error class; all Python as text. */
export interface ErrorView {
  readonly className: string;
  readonly doc: string;
  readonly facts: string;
  /** The type of `data`; "" when the document does not say. */
  readonly data: string;
  readonly members: readonly {
    readonly name: string;
    readonly key: string;
    readonly type: string;
    readonly doc: string;
  }[];
  /** How answers of the class are told: code, and reason or message. */
  readonly keys: readonly string[];
  readonly types: readonly PythonType[];
}

/** Writes the error classes as the templates need them. */
export function viewErrors(
  classes: readonly ErrorClass[],
  types: TypeWriter,
): readonly ErrorView[] {
  return classes.map((each) => {
    const { row, className } = each;
    const data = row.data === null ? null : dataType(each, types);
    const members = each.named && data !== null ? membersOf(data, types) : [];
    const { code, reason, status, charged, retryable, cause, fix } = row;
    return {
      className,
      doc: docstring(documentError(row), '    '),
      facts: [code, reason, status, charged, retryable, cause, fix]
        .map((fact) => `        ${plainLiteral(fact)},\n`)
        .join(''),
      data: data === null ? '' : printType(data),
      members: members.map(({ name, member }) => ({
        name,
        key: pythonString(member.key),
        type: printType(member.isRequired ? member.type : unionOf([member.type, { text: 'None' }])),
        doc: docstring([member.doc], '        '),
      })),
      keys: keysOf(each, classes),
      types: [...(data === null ? [] : [data]), ...members.map(({ member }) => member.type)],
    };
  });
}

function dataType({ row, className }: ErrorClass, types: TypeWriter): PythonType {
  return types.typeOf(row.data!, `${className}Data`);
}

/** The members `data` has, which an error that names a reason has too, where it has none of that name. */
function membersOf(
  data: PythonType,
  types: TypeWriter,
): readonly { readonly name: string; readonly member: MemberType }[] {
  const body =
    'ref' in data ? types.declarations().find(({ name }) => name === data.ref)?.body : undefined;
  if (body === undefined || !('members' in body)) return [];
  const names = createNames({ kind: '_member', reserved: new Set(), casing: snakeCase });
  return body.members
    .map((member) => ({ name: names.claim(member.key), member }))
    .filter(({ name }) => !reservedErrorMembers.has(name) && !name.startsWith('_'));
}

function keysOf({ row, named }: ErrorClass, classes: readonly ErrorClass[]): readonly string[] {
  const code = plainLiteral(row.code);
  if (named) return [`(${code}, ${plainLiteral(row.reason)})`];
  const isSole =
    classes.filter((other) => !other.named && other.row.code === row.code).length === 1;
  return [`(${code}, ${isSole ? 'None' : pythonString(row.message)})`];
}

function documentError(row: ErrorModel): readonly string[] {
  const facts = [
    `Code ${row.code}`,
    row.status === null ? '' : `HTTP status ${row.status}`,
    row.charged === null ? '' : row.charged ? 'charged' : 'not charged',
    row.retryable === null ? '' : row.retryable ? 'may be retried' : 'not to be retried',
  ].filter((fact) => fact !== '');
  return [
    row.message || row.name,
    row.cause ?? '',
    row.fix === null ? '' : `Fix: ${row.fix}`,
    `${facts.join('; ')}.`,
  ];
}
