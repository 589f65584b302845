import type { Json } from '../../../common/samples/sample.ts';

/** Parsed JSON that keeps every scalar as written, so that no digit is lost. */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'scalar'; readonly text: string };

export interface JsonMember {
  readonly name: string;
  readonly node: JsonNode;
}

/** Reports the place of a syntax error; line and column count from 1. */
export class JsonSyntaxError extends Error {
  constructor(expected: string, text: string, offset: number) {
    const before = text.slice(0, offset).split('\n');
    const found = offset < text.length ? JSON.stringify(text[offset]) : 'the end';
    const column = before.at(-1)!.length + 1;
    super(`line ${before.length}, column ${column}: expected ${expected}, got ${found}`);
  }
}

/** Bounds the recursion. */
const MAX_DEPTH = 400;

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[ -!#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Parses JSON (RFC 8259). Throws JsonSyntaxError. */
export function parseJson(text: string): JsonNode {
  const reader = new Reader(text);
  const node = reader.value(0);
  if (reader.peek() !== '') reader.fail('the end');
  return node;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fail(expected: string): never {
    throw new JsonSyntaxError(expected, this.#text, this.#at);
  }

  /** Skips whitespace and returns the next character; "" at the end. */
  peek(): string {
    this.#take(SPACE);
    return this.#text[this.#at] ?? '';
  }

  value(depth: number): JsonNode {
    const first = this.peek();
    if (depth > MAX_DEPTH) this.fail(`at most ${MAX_DEPTH} levels`);
    if (first === '{') return { kind: 'object', members: this.#members(depth) };
    if (first === '[') {
      return { kind: 'array', items: this.#list(']', () => this.value(depth + 1)) };
    }
    const text = first === '"' ? this.#string() : this.#take(SCALAR);
    return text === null ? this.fail('a value') : { kind: 'scalar', text };
  }

  #members(depth: number): readonly JsonMember[] {
    return this.#list('}', () => {
      if (this.peek() !== '"') this.fail('a name in double quotes');
      const name = JSON.parse(this.#string()) as string;
      if (this.peek() !== ':') this.fail('":"');
      this.#at += 1;
      return { name, node: this.value(depth + 1) };
    });
  }

  #list<T>(close: string, read: () => T): readonly T[] {
    this.#at += 1;
    const found: T[] = [];
    if (this.peek() === close) {
      this.#at += 1;
      return found;
    }
    for (;;) {
      found.push(read());
      const next = this.peek();
      if (next !== ',' && next !== close) this.fail(`"," or "${close}"`);
      this.#at += 1;
      if (next === close) return found;
    }
  }

  #string(): string {
    return this.#take(STRING) ?? this.fail('a closing double quote on the same line');
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at += found[0].length;
    return found[0];
  }
}

/** Returns the value of a node; integers that a number cannot represent become bigints. */
export function valueOf(node: JsonNode): Json {
  if (node.kind === 'array') return node.items.map(valueOf);
  if (node.kind === 'object') {
    return Object.fromEntries(node.members.map(({ name, node }) => [name, valueOf(node)]));
  }
  return /^-?\d+$/.test(node.text) ? integerOf(node.text) : (JSON.parse(node.text) as Json);
}

/** Same as Python's limit. Reading a bigint of millions of digits blocks the page for seconds. */
const MAX_DIGITS = 4300;

/** Parses decimal digits; very many become the nearest number. */
export function integerOf(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) || digits.length > MAX_DIGITS ? number : BigInt(digits);
}

/** Converts bigints to the nearest numbers for the validators. */
export function asNumbers(value: Json): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map((item: Json) => asNumbers(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, asNumbers(member as Json)]),
  );
}

/** Prints a node on several lines, every scalar as written. */
export function printNode(node: JsonNode, margin = ''): string {
  if (node.kind === 'scalar') return node.text;
  const deeper = `${margin}  `;
  const parts =
    node.kind === 'array'
      ? node.items.map((item) => printNode(item, deeper))
      : node.members.map(({ name, node }) => `${JSON.stringify(name)}: ${printNode(node, deeper)}`);
  const [open, close] = node.kind === 'array' ? '[]' : '{}';
  if (parts.length === 0) return open! + close!;
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${margin}${close}`;
}
