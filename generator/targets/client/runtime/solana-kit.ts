import type { RequestArguments } from './build-client.ts';
import { RpcError } from './errors.ts';
import type { CallOptions } from './options.ts';

interface Requester {
  request(request: RequestArguments, options?: CallOptions): Promise<unknown>;
}

/**
 * Creates a transport for @solana/kit (`createSolanaRpcFromTransport`) that uses the client's batches,
 * retries and WebSocket. Create the client's own transport with `json: exactJson`: kit expects bigints
 * for integers beyond 2^53.
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
