import { errors } from '../../generated/errors.ts';
import type { NodeError } from './node-error.ts';

/** A row of the generated error catalog (`x-errors` of the document). */
export interface ErrorRow {
  readonly code: number;
  readonly reason: string | null;
  readonly origin: string | null;
  /** HTTP status of the response to a single call. */
  readonly status: number | null;
  /** May contain `{names}`, which the details of an error fill in. */
  readonly message: string;
  readonly charged: boolean | null;
  /** How the caller fixes it. */
  readonly fix: string | null;
}

/** A JSON-RPC error object and the HTTP status it is sent with. */
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

type Row = (typeof errors)[keyof typeof errors];

/** Why the gateway itself rejects a request or fails: the reasons of `x-errors`. */
export type GatewayReason = Extract<Row, { readonly origin: 'gateway' }>['reason'];

export const gatewayReasons: readonly GatewayReason[] = Object.values(errors).flatMap((row: Row) =>
  row.origin === 'gateway' ? [row.reason] : [],
);

export interface ErrorCatalog {
  /** Returns the gateway's error for `reason`; `details` fill in its message and its `data`. */
  fail(reason: GatewayReason, details?: ErrorDetails): RpcError;
  /** Returns a node's error unchanged, with status 200. */
  fromNode(error: NodeError): RpcError;
  /** Returns a revert (code 3): `detail` is the decoded reason, `data` the raw hex. */
  reverted(detail: string, data: string): RpcError;
  /** Whether a call that ends in this node error is charged. */
  isCharged(error: NodeError): boolean;
}

interface ErrorDetails {
  /** Values for the `{names}` of the message. */
  readonly message?: Readonly<Record<string, string>>;
  /** Members of `data` besides `reason` and `fix`; a `fix` among them replaces that of the catalog. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Builds the catalog from its rows. Throws when a reason of the gateway has no row. */
export function createErrors(rows: Readonly<Record<string, ErrorRow>>): ErrorCatalog {
  const byReason = new Map(Object.values(rows).map((row) => [row.reason, row]));
  const rowOf = (reason: string): ErrorRow => {
    const row = byReason.get(reason);
    if (row === undefined) throw new Error(`the error catalog has no row for ${reason}`);
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
      const { status, code, message, fix } = rowOf(reason);
      const filled = fill(message, details.message ?? {});
      const data = { reason, ...(fix !== null && { fix }), ...details.data };
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

/** A name without a value is dropped, with the colon before it: `execution reverted`. */
function fill(message: string, names: Readonly<Record<string, string>>): string {
  return message.replaceAll(/(?:: )?\{(\w+)\}/g, (match, name: string) => {
    const value = names[name] ?? '';
    if (value === '') return '';
    return match.startsWith(': ') ? `: ${value}` : value;
  });
}
