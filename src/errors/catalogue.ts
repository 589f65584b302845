/** A row of the generated error catalogue (`x-errors` of the document). */
export interface ErrorRow {
  readonly code: number;
  readonly reason: string | null;
  readonly origin: string | null;
  /** HTTP status of an answer to a single call. */
  readonly status: number | null;
  /** May hold `{names}`, filled from the details of the error. */
  readonly message: string;
  readonly charged: boolean | null;
  /** What the caller can do about it. */
  readonly mend: string | null;
}

/** An error as a value on its way to the caller: the JSON-RPC error object and its HTTP status. */
export interface RpcError {
  readonly status: number;
  readonly reason: string;
  readonly origin: 'gateway' | 'node';
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** `data` as a node wrote it, JSON text: numbers beyond 2^53 keep their digits. */
  readonly rawData?: Buffer;
}

/** The gateway's own reasons; each must have a row in the catalogue. */
export const gatewayReasons = [
  'parse_error',
  'invalid_request',
  'request_too_large',
  'batch_too_large',
  'http_method_not_allowed',
  'unsupported_media_type',
  'unknown_path',
  'unknown_host',
  'http_malformed',
  'http_headers_too_large',
  'http_request_timeout',
  'method_not_found',
  'invalid_params',
  'key_missing',
  'key_malformed',
  'key_unknown',
  'key_expired',
  'key_revoked',
  'account_suspended',
  'method_not_allowed',
  'network_not_allowed',
  'origin_not_allowed',
  'contract_not_allowed',
  'credits_exhausted',
  'rate_limited',
  'too_many_calls_in_flight',
  'too_many_connections',
  'response_too_large',
  'upstream_timeout',
  'no_upstream',
  'invalid_upstream_response',
  'store_unavailable',
  'shutting_down',
  'internal_error',
] as const;

export type GatewayReason = (typeof gatewayReasons)[number];

/** What a node said, or what a dialect of it was translated to. */
export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** `data` as it was written, JSON text. */
  readonly rawData?: Buffer;
}

export interface ErrorCatalogue {
  /** The gateway's error for `reason`; `details` fill the message's `{names}`, and `data`. */
  fail(reason: GatewayReason, details?: ErrorDetails): RpcError;
  /** A node's error as it leaves: code, message and data are the node's, the status is 200. */
  fromNode(error: NodeError): RpcError;
  /** A revert as it leaves (code 3): `detail` is the decoded reason, `data` the raw hex. */
  reverted(detail: string, data: string): RpcError;
  /** Whether a call that ended in this node error is paid for. */
  isCharged(error: NodeError): boolean;
}

export interface ErrorDetails {
  /** Names in the message only. */
  readonly message?: Readonly<Record<string, string>>;
  /** Members of `data`, beside `reason`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Reads the generated catalogue; throws when a reason the gateway gives has no row. */
export function createErrors(rows: Readonly<Record<string, ErrorRow>>): ErrorCatalogue {
  const byReason = new Map(Object.values(rows).map((row) => [row.reason, row]));
  const rowOf = (reason: string): ErrorRow => {
    const row = byReason.get(reason);
    if (row === undefined) throw new Error(`the error catalogue has no row for ${reason}`);
    return row;
  };
  for (const reason of gatewayReasons) rowOf(reason);
  const revert = rowOf('execution_reverted');
  const chargedByCode = new Map(
    Object.values(rows)
      .filter(({ origin }) => origin === 'node')
      .map(({ code, charged }) => [code, charged]),
  );
  return {
    fail(reason, details = {}) {
      const { status, code, message, mend } = rowOf(reason);
      const filled = fill(message, details.message ?? {});
      const data = { reason, ...details.data, ...(isUnreadable(status) ? { mend } : {}) };
      return { status: status ?? OK, reason, origin: 'gateway', code, message: filled, data };
    },
    fromNode: (error) => ({ status: OK, reason: 'node_error', origin: 'node', ...error }),
    reverted: (detail, data) => ({
      status: revert.status ?? OK,
      reason: 'execution_reverted',
      origin: 'node',
      code: revert.code,
      message: fill(revert.message, { detail }),
      data,
    }),
    isCharged: ({ code }) => chargedByCode.get(code) ?? true,
  };
}

const OK = 200;

/** Whether a request was refused for its form: then a person has to change what a program sends. */
function isUnreadable(status: number | null): boolean {
  return status === 404 || status === 405 || status === 415;
}

/** A name without a value leaves nothing, nor the colon before it: `execution reverted`. */
function fill(message: string, names: Readonly<Record<string, string>>): string {
  return message.replaceAll(/(?:: )?\{(\w+)\}/g, (whole, name: string) => {
    const value = names[name] ?? '';
    if (value === '') return '';
    return whole.startsWith(': ') ? `: ${value}` : value;
  });
}
