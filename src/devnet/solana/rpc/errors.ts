import { NodeError } from '../../node-server.ts';

/**
 * All errors of the Solana node, with the codes and texts of Agave's `rpc/src/rpc.rs` and
 * `rpc-client-api/src/custom_error.rs`, and of the JSON-RPC library beneath it (jsonrpc-core 18).
 */
export const errors = Object.freeze({
  methodNotFound: () => new NodeError(-32601, 'Method not found'),
  paramsNotArray: () => new NodeError(-32602, '`params` should be an array'),
  tooFewParams: (min: number) =>
    new NodeError(-32602, `\`params\` should have at least ${min} argument(s)`),
  tooManyParams: (range: { min: number; max: number; got: number }) =>
    new NodeError(
      -32602,
      `Invalid parameters: Expected from ${range.min} to ${range.max} parameters.`,
      `"Got: ${range.got}"`,
    ),
  noParamsExpected: () => new NodeError(-32602, 'Invalid parameters: No parameters were expected'),
  /** A parameter of the wrong shape. */
  invalidParams: (why: string) => new NodeError(-32602, `Invalid params: ${why}.`),
  /** A parameter of the right shape and a wrong value. */
  invalidParam: (why: string) => new NodeError(-32602, `Invalid param: ${why}`),
  tooManyFilters: (max: number) => new NodeError(-32602, `Too many filters provided; max ${max}`),
  base58TooLong: (max: number) =>
    new NodeError(
      -32600,
      `Encoded binary (base 58) data should be less than ${max} bytes, please use Base64 encoding.`,
    ),
  minContextSlotNotReached: (contextSlot: bigint) =>
    new NodeError(-32016, 'Minimum context slot has not been reached', { contextSlot }),
});

/**
 * Checks the number of positional params as Agave's method macro does (jsonrpc-derive, trailing
 * options). Absent params count as an empty list.
 */
export function takeParams(
  params: unknown,
  { min, max }: { min: number; max: number },
): readonly unknown[] {
  const list = params ?? [];
  if (max === 0) {
    if (!Array.isArray(list) || list.length > 0) throw errors.noParamsExpected();
    return list;
  }
  if (!Array.isArray(list)) throw errors.paramsNotArray();
  if (list.length < min) throw errors.tooFewParams(min);
  if (list.length > max) throw errors.tooManyParams({ min, max, got: list.length });
  return list;
}
