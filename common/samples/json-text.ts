import type { Json } from './sample.ts';

const MAX_LINE = 60;

/** Prints JSON with all digits of integers. With `indent`, long JSON is printed on several lines. */
export function jsonText(value: Json, indent = 0): string {
  const line = print(value, 0, '');
  const isShort = line.length <= MAX_LINE && !/[[{].*[[{]/.test(line);
  return indent === 0 || isShort ? line : print(value, indent, '\n');
}

// `margin` is the line break and indentation before the closing bracket, or "" to print on one line.
function print(value: Json, indent: number, margin: string): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = margin === '' ? '' : margin + ' '.repeat(indent);
  const colon = margin === '' ? ':' : ': ';
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([name, member]) => {
    const text = print(member as Json, indent, deeper);
    return deeper + (isList ? text : JSON.stringify(name) + colon + text);
  });
  const [open, close] = isList ? '[]' : '{}';
  return parts.length === 0 ? `${open}${close}` : `${open}${parts.join(',')}${margin}${close}`;
}
