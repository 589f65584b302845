import { NodeError } from '../../node-server.ts';

/**
 * Every error the Solana node answers with: the codes and texts of Agave's `rpc/src/rpc.rs` and
 * `rpc-client-api/src/custom_error.rs`, and of the JSON-RPC library beneath it (jsonrpc-core 18).
 */
export const errors = Object.freeze({
  methodNotFound: () => new NodeError(-32601, 'Method not found'),
  paramsNotArray: () => new NodeError(-32602, '`params` should be an array'),
  tooFewParams: (least: number) =>
    new NodeError(-32602, `\`params\` should have at least ${least} argument(s)`),
  tooManyParams: (range: { least: number; most: number; got: number }) =>
    new NodeError(
      -32602,
      `Invalid parameters: Expected from ${range.least} to ${range.most} parameters.`,
      `"Got: ${range.got}"`,
    ),
  noParamsExpected: () => new NodeError(-32602, 'Invalid parameters: No parameters were expected'),
  /** A parameter of the wrong shape. */
  invalidParams: (why: string) => new NodeError(-32602, `Invalid params: ${why}.`),
  /** A parameter of the right shape and a wrong value. */
  invalidParam: (why: string) => new NodeError(-32602, `Invalid param: ${why}`),
  tooManyFilters: (most: number) => new NodeError(-32602, `Too many filters provided; max ${most}`),
  base58TooLong: (most: number) =>
    new NodeError(
      -32600,
      `Encoded binary (base 58) data should be less than ${most} bytes, please use Base64 encoding.`,
    ),
  minContextSlotNotReached: (contextSlot: bigint) =>
    new NodeError(-32016, 'Minimum context slot has not been reached', { contextSlot }),
});
