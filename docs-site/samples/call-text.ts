import { plainAddress } from '../../common/escape/address.ts';
import { escapeJson } from '../../common/escape/json.ts';
import { pythonString } from '../../common/escape/python.ts';
import { scriptKey, scriptString, isScriptName } from '../../common/escape/script.ts';
import { jsonText } from './json-text.ts';
import type { Json, SampleCall } from './sample.ts';

const NO_HTTP = 'http://127.0.0.1:8545';
const NO_WS = 'ws://127.0.0.1:8545';

/** An address that is not one of HTTP, such as a relative one, is not shown: no program could call it. */
export function httpUrl({ network }: SampleCall): string {
  return plainAddress(network?.http ?? '', ['http', 'https']) ?? NO_HTTP;
}

export function wsUrl({ network }: SampleCall): string | null {
  return network === null ? NO_WS : plainAddress(network.ws ?? '', ['ws', 'wss']);
}

/** The request as it goes over the wire, in one line. */
export function requestText({ method, params }: SampleCall): string {
  return escapeJson(
    jsonText({ jsonrpc: '2.0', id: 1, method: method.name, params: params as Json }),
  );
}

/** How a language writes what JSON can say. */
interface Dialect {
  scalar(value: Scalar): string;
  member(name: string): string;
  /** Around the members of an object on one line. */
  readonly braces: readonly [open: string, close: string];
  readonly step: string;
}

type Scalar = null | boolean | number | bigint | string;

const MAX_LINE = 80;

const script: Dialect = {
  scalar: (value) => {
    if (typeof value === 'string') return scriptString(value, "'");
    return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
  },
  member: memberName,
  braces: ['{ ', ' }'],
  step: '  ',
};

const python: Dialect = {
  scalar: (value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return typeof value === 'string' ? pythonString(value) : jsonText(value);
  },
  member: pythonString,
  braces: ['{', '}'],
  step: '    ',
};

/** `value` as a literal of JavaScript: JSON, with single quotes and bare names where they do. */
export function scriptLiteral(value: Json, indent = ''): string {
  return literal(value, script, indent);
}

/** `value` as a literal of Python. */
export function pythonLiteral(value: Json, indent = ''): string {
  return literal(value, python, indent);
}

function literal(value: Json, dialect: Dialect, indent: string): string {
  if (typeof value !== 'object' || value === null) return dialect.scalar(value);
  const deeper = indent + dialect.step;
  const parts = Array.isArray(value)
    ? value.map((item: Json) => literal(item, dialect, deeper))
    : Object.entries(value).map(
        ([name, member]) => `${dialect.member(name)}: ${literal(member as Json, dialect, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : dialect.braces;
  if (parts.length === 0) return open.trim() + close.trim();
  const line = open + parts.join(', ') + close;
  if (line.length + indent.length <= MAX_LINE && !line.includes('\n')) return line;
  return `${open.trim()}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close.trim()}`;
}

/** Whether a value holds integers that are no numbers of JavaScript. */
export function hasBigIntegers(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some((member: Json) => hasBigIntegers(member));
}

function memberName(name: string): string {
  return isScriptName(name) && name !== '__proto__' ? name : scriptKey(name, "'");
}

/** The params as the arguments of a call. */
export function argumentsText({ params }: SampleCall): string {
  if (!Array.isArray(params)) return scriptLiteral(params as Json);
  return params.map((param: Json) => scriptLiteral(param)).join(', ');
}
