import type { CallOptions } from './options.ts';
import { RpcError } from './rpc-error.ts';
import type { RequestArguments } from './build-client.ts';

/** The part of a client that a transport of @solana/kit is made of. */
interface Requester {
  request(request: RequestArguments, options?: CallOptions): Promise<unknown>;
}

/**
 * A transport of @solana/kit (`createSolanaRpcFromTransport`) over a client, with all the client
 * does: batches, retries, WebSocket. Make the client's own transport with `json: exactJson`, for kit
 * wants integers beyond 2^53 as bigints.
 */
export function kitTransport(client: Requester) {
  return async <Response>(config: {
    readonly payload: unknown;
    readonly signal?: AbortSignal;
  }): Promise<Response> => {
    const { id, method, params } = config.payload as RequestArguments & { readonly id?: unknown };
    let outcome: object;
    try {
      outcome = { result: await client.request({ method, params }, { signal: config.signal }) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = error;
      outcome = { error: { code, message, data } };
    }
    return { jsonrpc: '2.0', id, ...outcome } as Response;
  };
}
