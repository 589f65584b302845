import { parseExact, printExact, printMember, toBigInts } from '../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { canonicalValue } from '../containment/canonical.ts';
import type { VerifiedMethod } from './contract.ts';
import type { VerifiedExample } from './examples.ts';

export type TransportName = 'http' | 'websocket';

/** A message to the server, and what the document promises about the response. */
export interface Probe {
  /** What is sent, in a few words: "example "By number"", "/0: one character shorter". */
  readonly title: string;
  /** Null for a message that calls no method. */
  readonly method: VerifiedMethod | null;
  /** Pointer to the promise in the document. */
  readonly pointer: string;
  readonly body: string | Uint8Array;
  readonly expects: Expected;
  /** What the message exercises, whatever the answer is. */
  readonly covers?: readonly string[];
  /** Collects messages until a later call is answered, so that additional answers are noticed. */
  readonly isIsolated?: boolean;
  /** The transport that the message makes sense for; both by default. */
  readonly only?: TransportName;
  /** Replaces the URL and headers of the target. */
  readonly target?: Target;
}

export interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The promised response: none, one response object, or an array of them. */
export interface Expected {
  readonly isBatch: boolean;
  readonly responses: readonly ExpectedResponse[];
  /** Whether the HTTP status is not checked. */
  readonly hasAnyStatus?: boolean;
}

export interface ExpectedResponse {
  /** JSON text of the id. */
  readonly id: string;
  readonly outcome: Outcome;
}

export type Outcome =
  /** A result of the method's schema or a declared error; the example's if there is one. */
  | {
      readonly kind: 'valid';
      readonly method: VerifiedMethod;
      readonly params: Json;
      readonly example?: VerifiedExample;
    }
  | {
      readonly kind: 'invalid';
      readonly method: VerifiedMethod;
      readonly params: Json;
      /** Why the params are invalid. */
      readonly reason: string;
    }
  /** An error with one of these codes. */
  | { readonly kind: 'error'; readonly codes: readonly number[]; readonly why: string }
  /** The response of a fixture; the phase compares it. */
  | { readonly kind: 'recorded' }
  /** No result, since the key is wrong. */
  | { readonly kind: 'unauthorized' };

/** The response of a server to a message, or why there is none. */
export interface Answer {
  readonly transport: TransportName;
  /** HTTP status; null over WebSocket. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Each message; over HTTP, the body unless it is empty. */
  readonly texts: readonly string[];
  /** Why there is no response: a timeout, a closed connection. */
  readonly failure: string | null;
  readonly took_ms: number;
}

/** Returns the text of a call. Params keep the digits of wide integers. */
export function callText(method: string, params: Json | undefined, id: string | null): string {
  const members = [
    '"jsonrpc":"2.0"',
    ...(id === null ? [] : [`"id":${id}`]),
    `"method":${JSON.stringify(method)}`,
    ...(params === undefined ? [] : [`"params":${printExact(params)}`]),
  ];
  return `{${members.join(',')}}`;
}

export function callProbe(
  method: VerifiedMethod,
  params: Json,
  says: Pick<Probe, 'title' | 'covers'> & {
    readonly id: string;
    /** The place of the method by default. */
    readonly pointer?: string;
    readonly example?: VerifiedExample;
  },
): Probe {
  const { id, example, ...rest } = says;
  return {
    pointer: method.pointer,
    ...rest,
    method,
    body: callText(method.name, params, id),
    expects: { isBatch: false, responses: [{ id, outcome: outcomeOf(method, params, example) }] },
  };
}

/** Returns a probe of several calls of a method in a batch. */
export function batchProbe(
  method: VerifiedMethod,
  title: string,
  calls: readonly { readonly id: string; params: Json; readonly example?: VerifiedExample }[],
): Probe {
  const texts = calls.map(({ id, params }) => callText(method.name, params, id));
  const responses = calls.map(({ id, params, example }) => ({
    id,
    outcome: outcomeOf(method, params, example),
  }));
  const expects = { isBatch: true, responses };
  return { title, method, pointer: method.pointer, body: `[${texts.join(',')}]`, expects };
}

/** Returns a probe of a message that calls no method. */
export function messageProbe(
  title: string,
  body: Probe['body'],
  responses: readonly ExpectedResponse[],
): Probe {
  return { title, method: null, pointer: '', body, expects: { isBatch: false, responses } };
}

function outcomeOf(method: VerifiedMethod, params: Json, example?: VerifiedExample): Outcome {
  if (example?.isExact) return { kind: 'valid', method, params, example };
  const reason = method.refuses(params);
  return reason === undefined
    ? { kind: 'valid', method, params, ...(example === undefined ? {} : { example }) }
    : { kind: 'invalid', method, params, reason };
}

/** Maximum number of levels of JSON that is read, because functions recurse into each level. */
export const MAX_LEVELS = 1_000;

/** Checks whether JSON text has more levels of arrays and objects than are read. */
export function isTooDeep(text: string): boolean {
  let levels = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else isInString = character !== '"';
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') levels += 1;
    else if (character === ']' || character === '}') levels -= 1;
    if (levels > MAX_LEVELS) return true;
  }
  return false;
}

/** The last parsed text: all checks read the same answer, which may be very large. */
let parsed: { readonly text: string; readonly value: Json | undefined } | undefined;

/** Parses JSON text; undefined if it is not JSON, or has too many levels. */
export function parseText(text: string): Json | undefined {
  if (parsed?.text === text) return parsed.value;
  // Released first: each of them may take gigabytes.
  parsed = undefined;
  parsed = { text, value: parse(text) };
  return parsed.value;
}

function parse(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/**
 * A number with this many digits is not converted: the time grows with the square of the number of
 * digits.
 */
const LONG_NUMBER = /(?:^|[[,:\s-])\d{1000}/;

/**
 * Returns a text that is equal for equal JSON texts, whatever the order of members; the same text if
 * it has a number of a thousand digits.
 */
export function canonicalText(text: string): string {
  if (LONG_NUMBER.test(text)) return text;
  const [value] = toBigInts(parseExact(`[${text}]`) as readonly Json[]) as unknown as Json[];
  return canonicalValue(value!);
}

/** Returns the id of a response as canonical text; undefined if it is not a scalar. */
export function idOf(response: JsonObject): string | undefined {
  const { id } = response;
  if (typeof id === 'string') return JSON.stringify(id);
  const isScalar = id !== undefined && (typeof id !== 'object' || id === null);
  return isScalar ? canonicalText(printMember(response, 'id')) : undefined;
}

/** Maximum number of responses in an array that are paired with calls. No batch of a run has more. */
const MAX_PAIRED = 10_000;

/**
 * Returns each expected response with the received one: the one with its id, or the next in order. The ids are
 * read once, because there may be many long ones.
 */
export function pairResponses({ expects }: Pick<Probe, 'expects'>, { texts }: Answer) {
  if (expects.responses.length === 0) return [];
  const value = texts[0] === undefined ? undefined : parseText(texts[0]);
  const listed = Array.isArray(value) ? (value.slice(0, MAX_PAIRED) as readonly Json[]) : [value];
  const received = listed.map((each) => (isObject(each) ? each : {}));
  const byId = Map.groupBy(received, idOf);
  const matched = expects.responses.map(({ id }) => byId.get(canonicalText(id))?.shift());
  const used = new Set(matched);
  const others = received.filter((each) => !used.has(each)).values();
  return expects.responses.map((expected, index) => ({
    expected,
    response: matched[index] ?? others.next().value ?? {},
  }));
}
