/** Calls to a development node. */
import type { DevnetNode } from '../../src/devnet/node-server.ts';

export interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Makes a call and returns the whole response. */
export async function ask(node: DevnetNode, method: string, ...params: unknown[]): Promise<Answer> {
  const response = await fetch(node.httpUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as Answer;
  return { ...(result === undefined ? {} : { result }), ...(error === undefined ? {} : { error }) };
}

/** Makes a call that must succeed and returns its result. */
export async function get<T = Record<string, unknown>>(
  node: DevnetNode,
  method: string,
  ...params: unknown[]
): Promise<T> {
  const { result, error } = await ask(node, method, ...params);
  if (error !== undefined) throw new Error(`${method}: ${error.code} ${error.message}`);
  return result as T;
}
