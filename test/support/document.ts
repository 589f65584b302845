/** The document under test, read without the generator. */
import { readFileSync } from 'node:fs';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface ExamplePairing {
  readonly name: string;
  readonly params: readonly { readonly name: string; readonly value: Json }[];
  readonly result?: { readonly name: string; readonly value: Json };
  readonly 'x-error'?: { readonly code: number; readonly message: string; readonly data?: Json };
  readonly 'x-network'?: string;
  readonly 'x-setup'?: 'credits-exhausted' | 'upstream-down';
}

export interface ErrorRow {
  readonly name: string;
  readonly error: string;
  readonly code: number;
  readonly reason: string;
  readonly origin: 'gateway' | 'node';
  readonly status: number;
  readonly message: string;
  readonly charged: boolean;
  readonly retryable: boolean;
  readonly cause: string;
  readonly fix: string;
  readonly data: JsonObject;
}

export interface Descriptor {
  readonly name: string;
  readonly summary?: string;
  readonly required?: boolean;
  readonly schema: JsonObject;
}

export interface MethodObject {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly params: readonly Json[];
  readonly result: Json;
  readonly errors: readonly { readonly $ref: string }[];
  readonly examples: readonly ExamplePairing[];
  readonly tags: readonly { readonly $ref: string }[];
  readonly paramStructure: string;
  readonly externalDocs: { readonly url: string };
  readonly 'x-credits': number;
  readonly 'x-network-family': 'evm' | 'svm';
  readonly 'x-transports': { readonly supported: string[]; readonly documented: string[] };
  readonly 'x-forwarding'?: { readonly partner: boolean };
  readonly 'x-stability': string;
}

export interface Document {
  readonly openrpc: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly methods: readonly MethodObject[];
  readonly 'x-service-methods': readonly {
    readonly name: string;
    readonly family?: string;
    readonly example?: Json;
  }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>;
    readonly errors: Readonly<Record<string, { readonly code: number; readonly message: string }>>;
    readonly contentDescriptors: Readonly<Record<string, Json>>;
  };
  readonly 'x-errors': readonly ErrorRow[];
  readonly 'x-plans': readonly {
    readonly name: string;
    readonly creditsPerDay: number | null;
    readonly callsPerSecond: number | null;
    readonly forwarding: boolean;
  }[];
  readonly 'x-decisions': readonly {
    readonly id: string;
    readonly question: string;
    readonly decision: string;
    readonly methods: readonly string[];
  }[];
  readonly 'x-extensions': readonly {
    readonly name: string;
    readonly restricted: readonly string[];
    readonly schema: JsonObject;
  }[];
}

const text = readFileSync(new URL('../../openrpc.json', import.meta.url), 'utf8');

/** The openrpc.json of the repository. */
export const document = JSON.parse(text) as Document;

/** Returns the value at a JSON pointer (RFC 6901), or undefined. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  if (pointer === '') return root;
  let value = root;
  for (const raw of pointer.slice(1).split('/')) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Follows `$ref`s until something that is not one. */
export function resolve<T = JsonObject>(value: unknown): T {
  let current = value;
  for (let hops = 0; hops < 32; hops += 1) {
    const ref = (current as { $ref?: unknown } | null)?.$ref;
    if (typeof ref !== 'string') return current as T;
    current = resolvePointer(document, ref.slice(1));
  }
  throw new Error(`references without end from ${JSON.stringify(value)}`);
}

export function paramsOf(method: MethodObject): Descriptor[] {
  return method.params.map((param) => resolve<Descriptor>(param));
}

export function resultOf(method: MethodObject): Descriptor {
  return resolve<Descriptor>(method.result);
}

/** Every method of the document with each of its example pairings. */
export function everyExample(): { method: MethodObject; example: ExamplePairing }[] {
  return document.methods.flatMap((method) =>
    method.examples.map((example) => ({ method, example })),
  );
}
