import type { Json } from '../../../samples/sample.ts';

/** What a JSON text says, with every scalar as it was written: no digit is lost. */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'scalar'; readonly text: string };

export interface JsonMember {
  readonly name: string;
  readonly node: JsonNode;
}

/** Where a text stops being JSON. Line and column count from 1. */
export class JsonFault extends Error {
  readonly line: number;
  readonly column: number;

  constructor(expected: string, text: string, offset: number) {
    const before = text.slice(0, offset).split('\n');
    const found = offset < text.length ? `found ${JSON.stringify(text[offset])}` : 'found the end';
    const column = before.at(-1)!.length + 1;
    super(`line ${before.length}, column ${column}: expected ${expected}, ${found}`);
    this.line = before.length;
    this.column = column;
  }
}

/** Deeper values are refused: nobody writes them, and a stack is finite. */
const MAX_DEPTH = 400;

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[ -!#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads JSON (RFC 8259). Throws a JsonFault. */
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
    throw new JsonFault(expected, this.#text, this.#at);
  }

  /** The next character behind space; "" at the end. */
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
    return this.#take(STRING) ?? this.fail('a string that ends in double quotes on its line');
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at += found[0].length;
    return found[0];
  }
}

/** The value of a node: integers that a number cannot hold are bigints. */
export function valueOf(node: JsonNode): Json {
  if (node.kind === 'array') return node.items.map(valueOf);
  if (node.kind === 'object') {
    return Object.fromEntries(node.members.map(({ name, node }) => [name, valueOf(node)]));
  }
  return /^-?\d+$/.test(node.text) ? integerOf(node.text) : (JSON.parse(node.text) as Json);
}

/** The integer that decimal digits write. */
export function integerOf(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/** The value with bigints as the nearest numbers, for what knows numbers only: validators. */
export function asNumbers(value: Json): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map((item: Json) => asNumbers(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, asNumbers(member as Json)]),
  );
}
