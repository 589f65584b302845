import { jsonText } from './json-text.ts';
import type { Json, SampleCall } from './sample.ts';

const NO_HTTP = 'http://127.0.0.1:8545';
const NO_WS = 'ws://127.0.0.1:8545';

export function httpUrl({ network }: SampleCall): string {
  return network?.http ?? NO_HTTP;
}

export function wsUrl({ network }: SampleCall): string | null {
  return network === null ? NO_WS : network.ws;
}

/** The request as it goes over the wire, in one line. */
export function requestText({ method, params }: SampleCall): string {
  return jsonText({ jsonrpc: '2.0', id: 1, method: method.name, params: params as Json });
}

/** `value` as a literal of JavaScript: JSON, with single quotes and bare names where they do. */
export function scriptLiteral(value: Json, indent = ''): string {
  if (typeof value === 'string') return scriptString(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item: Json) => scriptLiteral(item, deeper))
    : Object.entries(value).map(([name, member]) => {
        return `${memberName(name)}: ${scriptLiteral(member as Json, deeper)}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : ['{ ', ' }'];
  if (parts.length === 0) return Array.isArray(value) ? '[]' : '{}';
  const line = open! + parts.join(', ') + close!;
  if (line.length + indent.length <= MAX_LINE && !line.includes('\n')) return line;
  return `${open!.trim()}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close!.trim()}`;
}

const MAX_LINE = 80;

/** Whether a value holds integers that are no numbers of JavaScript. */
export function hasBigIntegers(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some((member: Json) => hasBigIntegers(member));
}

function memberName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : scriptString(name);
}

export function scriptString(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** `text` as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `value` as a literal of Python. */
export function pythonLiteral(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return jsonText(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => pythonLiteral(item)).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member as Json)}`,
  );
  return `{${members.join(', ')}}`;
}

/** The params as the arguments of a call. */
export function argumentsText({ params }: SampleCall): string {
  if (!Array.isArray(params)) return scriptLiteral(params as Json);
  return params.map((param: Json) => scriptLiteral(param)).join(', ');
}
