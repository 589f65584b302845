import { parseExact, stringifyExact } from './node-json.ts';

/** An error a node answers with; anything else a handler throws leaves as -32603 `Internal error`. */
export class NodeError extends Error {
  readonly code: number;
  readonly data?: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'NodeError';
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/**
 * Answers one call. `params` is the request's own (undefined when absent); integers beyond 2^53
 * arrive as bigint and may be returned as bigint. Throws NodeError, -32601 for an unknown method.
 */
export interface NodeHandler {
  (method: string, params: unknown): unknown;
}

type Id = string | number | bigint | null;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is Id {
  return value === null || ['string', 'number', 'bigint'].includes(typeof value);
}

function failure(id: Id, error: NodeError): object {
  const { code, message, data } = error;
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}

function invalidRequest(): NodeError {
  return new NodeError(-32600, 'Invalid request');
}

async function answerCall(handle: NodeHandler, call: unknown): Promise<object | undefined> {
  if (!isObject(call)) return failure(null, invalidRequest());
  const { id, jsonrpc, method, params } = call;
  if (id !== undefined && !isId(id)) return failure(null, invalidRequest());
  const sound = jsonrpc === '2.0' && (params === undefined || typeof params === 'object');
  if (!sound || typeof method !== 'string') return failure(id ?? null, invalidRequest());
  try {
    const result = await handle(method, params);
    return id === undefined ? undefined : { jsonrpc: '2.0', result: result ?? null, id };
  } catch (thrown) {
    const error = thrown instanceof NodeError ? thrown : new NodeError(-32603, 'Internal error');
    return id === undefined ? undefined : failure(id, error);
  }
}

async function answerBatch(
  handle: NodeHandler,
  calls: readonly unknown[],
): Promise<object | undefined> {
  if (calls.length === 0) return failure(null, invalidRequest());
  const answers = [];
  for (const call of calls) {
    const answer = await answerCall(handle, call);
    if (answer !== undefined) answers.push(answer);
  }
  return answers.length === 0 ? undefined : answers;
}

/**
 * Answers a request or batch body (JSON-RPC 2.0 sections 4 to 6), calls of a batch one after another.
 *
 * @returns the answer's JSON text, or undefined when only notifications were sent.
 */
export async function answerBody(handle: NodeHandler, body: string): Promise<string | undefined> {
  let request: unknown;
  try {
    request = parseExact(body);
  } catch {
    return stringifyExact(failure(null, new NodeError(-32700, 'Parse error')));
  }
  const answer = Array.isArray(request)
    ? await answerBatch(handle, request)
    : await answerCall(handle, request);
  return answer === undefined ? undefined : stringifyExact(answer);
}
