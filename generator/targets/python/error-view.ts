import { pythonString } from '../../../common/escape/python.ts';
import { createNames } from '../../model/names.ts';
import { documentError, type ErrorClass } from '../client-view/errors.ts';
import { snakeCase } from './names.ts';
import { docstring } from './docstring.ts';
import { plainLiteral } from './literal.ts';
import { reservedErrorMembers } from './reserved.ts';
import { NONE, printType, type PythonType, unionOf } from './types/python-type.ts';
import type { MemberType, TypeWriter } from './types/type-writer.ts';

/** Returns the views of the error classes; their texts are Python code. */
export function viewErrors(classes: readonly ErrorClass[], types: TypeWriter) {
  return classes.map((each) => {
    const { row, className, hasReason } = each;
    const data = row.data === null ? null : types.typeOf(row.data, `${className}Data`);
    const members = hasReason && data !== null ? membersOf(data, types) : [];
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
        type: printType(member.isRequired ? member.type : unionOf([member.type, NONE])),
        doc: docstring([member.doc], '        '),
      })),
      key: keyOf(each),
      types: [...(data === null ? [] : [data]), ...members.map(({ member }) => member.type)],
    };
  });
}

/** Returns the members of `data` that an error with a reason has too. */
function membersOf(
  data: PythonType,
  types: TypeWriter,
): readonly { readonly name: string; readonly member: MemberType }[] {
  const body = 'ref' in data ? types.find(data.ref)?.body : undefined;
  if (body === undefined || !('members' in body)) return [];
  const names = createNames({ kind: '_member', reserved: new Set(), casing: snakeCase });
  return body.members
    .map((member) => ({ name: names.claim(member.key), member }))
    .filter(({ name }) => !reservedErrorMembers.has(name) && !name.startsWith('_'));
}

/**
 * Returns the key of a class: its code and its reason; without a reason, its message if the code is not
 * unique.
 */
function keyOf({ row, hasReason, isOnlyOfCode }: ErrorClass): string {
  const message = isOnlyOfCode ? null : row.message;
  return `(${plainLiteral(row.code)}, ${plainLiteral(hasReason ? row.reason : message)})`;
}
