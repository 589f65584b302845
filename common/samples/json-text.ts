import type { Json } from './sample.ts';

/** Prints JSON with all digits of integers, on several lines when `indent` is given and it is long. */
export function jsonText(value: Json, indent = 0): string {
  const line = lineOf(value);
  const isShort = line.length <= MAX_LINE && !/[[{].*[[{]/.test(line);
  if (indent === 0 || isShort || typeof value !== 'object' || value === null) return line;
  return linesOf(value, indent, '');
}

const MAX_LINE = 60;

function lineOf(value: Json): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => lineOf(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${lineOf(member as Json)}`,
  );
  return `{${members.join(',')}}`;
}

function linesOf(value: Json, indent: number, margin: string): string {
  if (typeof value !== 'object' || value === null) return lineOf(value);
  const deeper = margin + ' '.repeat(indent);
  const parts = Array.isArray(value)
    ? value.map((item: Json) => linesOf(item, indent, deeper))
    : Object.entries(value).map(
        ([name, member]) => `${JSON.stringify(name)}: ${linesOf(member as Json, indent, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${margin}${close}`;
}
