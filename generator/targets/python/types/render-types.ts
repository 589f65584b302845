import { pythonString } from '../../../../common/escape/python.ts';
import { comment, docstring } from '../docstring.ts';
import { keywords } from '../reserved.ts';
import { isIdentifier } from '../casing.ts';
import { orderAliases } from './alias-order.ts';
import { printType, quoteType } from './python-type.ts';
import type { Declaration, MemberType } from './type-writer.ts';

/** The declarations of types.py as text, and the names of those that go in circles. */
export interface TypesText {
  readonly text: string;
  readonly names: readonly string[];
  /** Aliases that are written with names as strings: who uses them needs those names too. */
  readonly circular: readonly string[];
}

/** Writes what types.py declares: objects first, whose members may be named before they are there. */
export function renderTypes(declarations: readonly Declaration[]): TypesText {
  const objects = declarations.flatMap(({ name, doc, body }) =>
    'members' in body ? [renderObject(name, doc, body.members)] : [],
  );
  const docs = new Map(declarations.map(({ name, doc }) => [name, doc]));
  const aliases = orderAliases(
    new Map(
      declarations.flatMap(({ name, body }) =>
        'alias' in body ? [[name, body.alias] as const] : [],
      ),
    ),
  );
  const aliasTexts = aliases.map(
    ({ name, alias, quoted }) =>
      `${name}: TypeAlias = ${printType(alias, quoted)}\n${docstring([docs.get(name) ?? ''], '')}`,
  );
  return {
    text: [...objects, ...aliasTexts].join('\n'),
    names: declarations.map(({ name }) => name).toSorted(),
    circular: [...new Set(aliases.flatMap(({ quoted }) => [...quoted]))],
  };
}

function renderObject(name: string, doc: string, members: readonly MemberType[]): string {
  const isPlain = members.every(
    ({ key }) => isIdentifier(key) && !keywords.has(key) && !key.startsWith('__'),
  );
  if (!isPlain) {
    const lines = members.map(
      (member) =>
        `${comment(member.doc, '        ')}        ${pythonString(member.key)}: ${valueOf(member)},\n`,
    );
    return `\n${name} = TypedDict(\n    ${pythonString(name)},\n    {\n${lines.join('')}    },\n)\n${docstring([doc], '')}`;
  }
  const lines = members.map(
    (member) => `    ${member.key}: ${valueOf(member)}\n${docstring([member.doc], '    ')}`,
  );
  const about = docstring([doc], '    ');
  const body = about + (about !== '' && lines.length > 0 ? '\n' : '') + lines.join('');
  return `\nclass ${name}(TypedDict):\n${body || '    pass\n'}`;
}

function valueOf({ type, isRequired }: MemberType): string {
  return isRequired ? quoteType(type) : `NotRequired[${quoteType(type)}]`;
}
