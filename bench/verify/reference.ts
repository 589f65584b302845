import { makeValue } from '../../common/make-value/make-value.ts';
import { parseExact, printExact, printMember } from '../../common/json/exact.ts';
import { isObject, type Json, type JsonObject } from '../../common/json/value.ts';
import { isSame } from '../../generator/containment/canonical.ts';
import { objectAt } from '../../generator/schema/document-schemas.ts';
import {
  resultSchemaOf,
  type Contract,
  type VerifiedMethod,
} from '../../generator/verify/contract.ts';
import { canonicalText } from '../../generator/verify/message.ts';

/** A message from a client. */
export interface Incoming {
  readonly transport: 'http' | 'websocket';
  readonly bytes: Buffer;
  /** Path of the URL. */
  readonly path: string;
}

/** The answer; over WebSocket, only the bodies count. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: readonly string[];
  /** Ends the connection after the bodies. */
  readonly closes?: boolean;
}

/** JSON text of a result, or an error object. */
export type Value = { readonly result: string } | { readonly error: RpcError };

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** A valid call. */
export interface Call {
  readonly method: VerifiedMethod;
  readonly params: Json;
  readonly transport: Incoming['transport'];
}

/** A response to one request, before it becomes text. */
export interface Reply {
  /** JSON text of the id. */
  readonly id: string;
  readonly value: Value;
  readonly cost: number;
  readonly status: number;
}

/** The steps of a server, each of which a defect may replace. */
export interface Steps {
  /** Returns why params are refused. */
  refuses(
    method: VerifiedMethod,
    params: Json,
    transport: Incoming['transport'],
  ): string | undefined;
  /** Answers a valid call. */
  call(call: Call): Value;
  /** Answers one request; undefined for a notification. */
  reply(request: Json, transport: Incoming['transport']): Reply | undefined;
  /** Returns the text of a response object. */
  print(reply: Reply, transport: Incoming['transport']): string;
  /** Adds the cost of a message to the usage of the account. */
  charge(cost: number, transport: Incoming['transport']): void;
  /** Returns the used credits. */
  used(): number;
  /** Answers a message. */
  message(incoming: Incoming): Outgoing;
}

/** A change of a server: it replaces some steps by others, which may use the former ones. */
export type Change = (steps: Steps, contract: Contract) => Partial<Steps>;

/** Returns a server that keeps a document, with changes. */
export function createReference(contract: Contract, changes: readonly Change[] = []): Steps {
  let used = 0;
  const steps: Steps = {
    refuses: (method, params) => method.refuses(params),
    call: (call) => answerCall(contract, call),
    reply: (request, transport) => replyTo(contract, { steps, request, transport }),
    print: ({ id, value }) =>
      'error' in value
        ? `{"jsonrpc":"2.0","id":${id},"error":${printExact(value.error as unknown as Json)}}`
        : `{"jsonrpc":"2.0","id":${id},"result":${value.result}}`,
    charge: (cost) => {
      used += cost;
    },
    used: () => used,
    message: (incoming) => answerMessage(contract, steps, incoming),
  };
  for (const change of changes) Object.assign(steps, change({ ...steps }, contract));
  return steps;
}

/** Returns an error as the document describes it, and its HTTP status. */
export function errorOf(contract: Contract, code: number, reason: string) {
  const row = contract.errors.find((each) => each.code === code && each.reason === reason);
  const { status = null, message = reason, data: schema = null } = row ?? {};
  const root = {
    definitions: objectAt(objectAt(contract.model.document, 'components'), 'schemas'),
  };
  const validate = (value: unknown) =>
    contract.check(schema ?? true, value as Json).map(({ path }) => ({ pointer: path }));
  const made = schema === null ? {} : makeValue(schema, { validate, root }, [reason]);
  const data = 'value' in made ? { data: made.value as Json } : {};
  return { error: { code, message, ...data }, status: status ?? 200 };
}

function answerMessage(
  contract: Contract,
  steps: Steps,
  { bytes, path, transport }: Incoming,
): Outgoing {
  const whole = (code: number, reason: string): Outgoing => {
    const { error, status } = errorOf(contract, code, reason);
    const body = steps.print({ id: 'null', value: { error }, cost: 0, status }, transport);
    return { status, headers: costHeaders(contract, 0), bodies: [body] };
  };
  const keyError = keyProblem(contract, path);
  if (keyError !== undefined) return whole(401, keyError);
  let message: Json;
  try {
    message = parseExact(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return whole(-32700, 'parse_error');
  }
  if (!Array.isArray(message)) {
    const reply = steps.reply(message, transport);
    if (reply === undefined) return { status: 204, headers: {}, bodies: [] };
    const bodies = [steps.print(reply, transport)];
    steps.charge(reply.cost, transport);
    return { status: reply.status, headers: costHeaders(contract, reply.cost), bodies };
  }
  const calls = message as readonly Json[];
  if (calls.length === 0) return whole(-32600, 'invalid_request');
  if (calls.length > (contract.maxBatchCalls ?? Infinity)) {
    const { status, bodies } = whole(-32600, 'batch_too_large');
    return { status, headers: {}, bodies: [`[${bodies[0]}]`] };
  }
  const replies = calls.flatMap((each) => steps.reply(each, transport) ?? []);
  const cost = replies.reduce((sum, each) => sum + each.cost, 0);
  steps.charge(cost, transport);
  const body = `[${replies.map((each) => steps.print(each, transport)).join(',')}]`;
  return replies.length === 0
    ? { status: 204, headers: {}, bodies: [] }
    : { status: 200, headers: costHeaders(contract, cost), bodies: [body] };
}

/** The key that the reference accepts. */
export const KEY = 'demo';

function keyProblem({ keyVariable }: Contract, path: string): string | undefined {
  if (keyVariable === null) return undefined;
  const key = /\/v3\/?([^/]*)$/.exec(path)?.[1] ?? '';
  if (key === KEY) return undefined;
  if (key === '') return 'key_missing';
  return /^\w+$/.test(key) ? 'key_unknown' : 'key_malformed';
}

function costHeaders({ costHeader }: Contract, cost: number): Readonly<Record<string, string>> {
  return costHeader === null ? {} : { [costHeader]: String(cost) };
}

interface Received {
  readonly steps: Steps;
  readonly request: Json;
  readonly transport: Incoming['transport'];
}

function replyTo(contract: Contract, { steps, request, transport }: Received): Reply | undefined {
  const object = isObject(request) ? request : {};
  const { jsonrpc, method: name, params = [] } = object;
  const hasId = ['string', 'number'].includes(typeof object['id']) || object['id'] === null;
  const id = hasId ? printMember(object, 'id') : 'null';
  const refuse = (code: number, reason: string): Reply => {
    const { error, status } = errorOf(contract, code, reason);
    return { id, value: { error }, cost: 0, status };
  };
  const isRequest = jsonrpc === '2.0' && typeof name === 'string' && typeof params === 'object';
  if (!isRequest || params === null || ('id' in object && !hasId)) {
    return refuse(-32600, 'invalid_request');
  }
  if (!('id' in object)) return undefined;
  const method = contract.methods.find((each) => each.name === name);
  if (method === undefined) return refuse(-32601, 'method_not_found');
  if (steps.refuses(method, params, transport) !== undefined) {
    const shown = exampleOf(contract, method, params)?.error as unknown as RpcError | undefined;
    const refusal = refuse(-32602, 'invalid_params');
    return shown === undefined ? refusal : { ...refusal, value: { error: shown } };
  }
  const value = steps.call({ method, params, transport });
  const charged = 'result' in value || isCharged(contract, value.error);
  return { id, value, cost: charged ? (method.cost ?? 0) : 0, status: 200 };
}

function isCharged({ errors }: Contract, { code }: RpcError): boolean {
  return errors.find((row) => row.code === code)?.charged ?? true;
}

/** Answers as the first example with these params does, otherwise with a value made of the schema. */
function answerCall(contract: Contract, { method, params }: Call): Value {
  const shown = exampleOf(contract, method, params);
  if (shown?.error !== undefined) return { error: shown.error as unknown as RpcError };
  if (shown?.result !== undefined) return { result: shown.result };
  const result = makeResult(contract, method, params);
  return { result: printExact(finalizeAll(contract, { method, params, result })) };
}

/** Number of the finalized block: all results with a number are final. */
export const FINALIZED = '0xffffffffffffffff';

function finalizeAll(
  { finalizedBlock }: Contract,
  { method, params, result }: Omit<Call, 'transport'> & { readonly result: Json },
): Json {
  if (finalizedBlock?.method !== method.name || !isObject(result)) return result;
  return isSame(finalizedBlock.params, params)
    ? { ...result, [finalizedBlock.pointer.slice(1)]: FINALIZED }
    : result;
}

function exampleOf(contract: Contract, method: VerifiedMethod, params: Json) {
  const wanted = canonicalParams(contract, method, params);
  return method.examples.find(
    (example) => canonicalParams(contract, method, example.params) === wanted,
  );
}

/** Returns a text that is equal for params that mean the same, defaults filled in. */
function canonicalParams(contract: Contract, { params }: VerifiedMethod, values: Json): string {
  if (!Array.isArray(values)) return canonicalText(printExact(values));
  const filled = params.map(({ schema }, index) => {
    const resolved = contract.resolve(schema).schema;
    const omitted = isObject(resolved) ? (resolved['default'] ?? null) : null;
    return (values[index] as Json | undefined) ?? omitted;
  });
  return canonicalText(printExact(filled));
}

/** Attempts to make a result other than null, which stands for "not found". */
const ATTEMPTS = 8;

function makeResult(contract: Contract, method: VerifiedMethod, params: Json): Json {
  const schema = resultSchemaOf(method, params);
  const root: JsonObject = {
    definitions: objectAt(objectAt(contract.model.document, 'components'), 'schemas'),
  };
  const validate = (value: unknown) =>
    contract.check(schema, value as Json).map(({ path }) => ({ pointer: path }));
  const words = [method.name, canonicalParams(contract, method, params)];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const made = makeValue(schema, { validate, root }, [...words, String(attempt)]);
    if ('value' in made && made.value !== null) return made.value as Json;
  }
  const shown = method.examples.find(({ result }) => result !== undefined)?.result;
  return shown === undefined ? null : (JSON.parse(shown) as Json);
}
