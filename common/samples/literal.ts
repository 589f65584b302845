import { pythonString } from '../escape/python.ts';
import { isScriptName, scriptKey, scriptString } from '../escape/script.ts';
import type { Json, LiteralSyntax } from './sample.ts';

const MAX_LINE = 80;
const MAX_ARGUMENTS_LINE = 60;

export const scriptSyntax: LiteralSyntax = {
  words: { null: 'null', true: 'true', false: 'false' },
  quote: "'",
  hasLongEscapes: false,
  braces: ['{ ', ' }'],
  hasBareKeys: true,
  indent: '  ',
  wideSuffix: 'n',
};

/** Writes a JSON value as a literal, on several lines if it is long. */
export function writeLiteral(value: Json, syntax: LiteralSyntax, indent = ''): string {
  if (typeof value === 'string') return writeString(value, syntax);
  if (typeof value === 'bigint') return `${value}${syntax.wideSuffix ?? ''}`;
  if (typeof value === 'number') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) {
    return syntax.words[String(value) as 'null' | 'true' | 'false'];
  }
  const deeper = indent + syntax.indent;
  const parts = Array.isArray(value)
    ? value.map((item: Json) => writeLiteral(item, syntax, deeper))
    : Object.entries(value).map(
        ([name, member]) =>
          `${writeKey(name, syntax)}: ${writeLiteral(member as Json, syntax, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : syntax.braces;
  if (parts.length === 0) return open.trim() + close.trim();
  const line = open + parts.join(', ') + close;
  if (line.length + indent.length <= MAX_LINE && !line.includes('\n')) return line;
  return `${open.trim()}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close.trim()}`;
}

export function writeString(text: string, { quote, hasLongEscapes }: LiteralSyntax): string {
  return hasLongEscapes ? pythonString(text) : scriptString(text, quote);
}

function writeKey(name: string, syntax: LiteralSyntax): string {
  if (!syntax.hasBareKeys) return writeString(name, syntax);
  return isScriptName(name) && name !== '__proto__' ? name : scriptKey(name, syntax.quote);
}

/** Writes params as the arguments of a call, one per line at `indent` if they are long. */
export function writeArguments(
  params: readonly Json[] | Readonly<Record<string, Json>>,
  syntax: LiteralSyntax,
  indent: string,
): string {
  const values: readonly Json[] = Array.isArray(params) ? params : [params as Json];
  const line = values.map((value) => writeLiteral(value, syntax)).join(', ');
  if (line.length <= MAX_ARGUMENTS_LINE && !line.includes('\n')) return line;
  const lines = values.map((value) => `${indent}${writeLiteral(value, syntax, indent)},\n`);
  return `\n${lines.join('')}${indent.slice(syntax.indent.length)}`;
}

/** Checks for integers beyond 2^53. */
export function hasWideIntegers(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some((member: Json) => hasWideIntegers(member));
}
