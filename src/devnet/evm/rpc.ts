/** Calls one method of a node; the promise is rejected with the node's own message on an error. */
export interface Call {
  (method: string, params: readonly unknown[]): Promise<unknown>;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const callTimeoutMs = 10_000;

/** A caller of the node behind a URL, over HTTP. */
export function createCall(url: string): Call {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const { result, error } = (await response.json()) as Answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message} (${error.code})`);
    return result;
  };
}
