import { pythonString } from '../../../../common/escape/python.ts';
import { isIdentifier } from '../names.ts';
import { comment, docstring } from '../docstring.ts';
import { keywords } from '../reserved.ts';
import { namesIn, printType, type PythonType, quoteType } from './python-type.ts';
import type { Declaration, MemberType } from './type-writer.ts';

interface TypesText {
  readonly text: string;
  readonly names: readonly string[];
  /** Names that aliases refer to as strings: modules that use the aliases must import them. */
  readonly circular: readonly string[];
}

/** Renders the declarations of types.py: objects, whose members may refer to later names, first. */
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

interface OrderedAlias {
  readonly name: string;
  readonly alias: PythonType;
  /** Names that are declared later because of a cycle. */
  readonly quoted: ReadonlySet<string>;
}

/** Orders aliases after those they refer to, because Python evaluates them in order. */
function orderAliases(aliases: ReadonlyMap<string, PythonType>): readonly OrderedAlias[] {
  const ordered = new Map<string, OrderedAlias>();
  const open = new Set<string>();
  // Not recursive: a chain of aliases may be longer than the stack.
  const path: { name: string; alias: PythonType; names: Iterator<string> }[] = [];
  const enter = (name: string): void => {
    const alias = aliases.get(name);
    if (alias === undefined || ordered.has(name) || open.has(name)) return;
    open.add(name);
    path.push({ name, alias, names: namesIn(alias)[Symbol.iterator]() });
  };
  for (const first of aliases.keys()) {
    enter(first);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.names.next();
      if (next.done !== true) {
        enter(next.value);
        continue;
      }
      const { name, alias } = last;
      path.pop();
      open.delete(name);
      const later = namesIn(alias).filter((each) => aliases.has(each) && !ordered.has(each));
      ordered.set(name, { name, alias, quoted: new Set(later) });
    }
  }
  return [...ordered.values()];
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
