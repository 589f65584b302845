import { RpcError, type RpcErrorInit } from './rpc-error.ts';
import type { ResponseInfo, WireError } from './transport.ts';

/** One error the document declares, and the class it becomes. */
export interface CatalogueRow {
  readonly type: new (init: RpcErrorInit) => RpcError;
  readonly code: number;
  readonly reason: string | null;
  readonly message: string;
  /** True when the answer itself bears the reason, in `data.reason`. */
  readonly named: boolean;
  readonly retryable: boolean | null;
  readonly charged: boolean | null;
  readonly mend: string | null;
}

/** Makes the typed error of a call's error answer: the row's class, or RpcError where none fits. */
export function toRpcError(
  catalogue: readonly CatalogueRow[],
  error: WireError,
  call: { readonly method: string; readonly response: ResponseInfo | null },
): RpcError {
  const reason = reasonOf(error.data);
  const row = findRow(catalogue, error, reason);
  const init: RpcErrorInit = {
    code: error.code,
    message: error.message,
    data: error.data,
    reason: row?.reason ?? reason,
    method: call.method,
    response: call.response,
    retryable: row?.retryable ?? null,
    charged: row?.charged ?? null,
    mend: row?.mend ?? null,
  };
  return row === undefined ? new RpcError(init) : new row.type(init);
}

/**
 * An answer that bears a reason is the row of its code and reason. One without (a node's own error,
 * passed on) is the one row of its code that needs none, or of several the one with its message.
 * What fits no row stays an RpcError: a wrong class would promise a shape of `data` that is not there.
 */
function findRow(
  catalogue: readonly CatalogueRow[],
  error: WireError,
  reason: string | null,
): CatalogueRow | undefined {
  const rows = catalogue.filter((row) => row.code === error.code);
  const exact = rows.find((row) => row.named && row.reason === reason);
  if (exact !== undefined) return exact;
  const open = rows.filter((row) => !row.named);
  return open.length === 1 ? open[0] : open.find((row) => row.message === error.message);
}

function reasonOf(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('reason' in data)) return null;
  return typeof data.reason === 'string' ? data.reason : null;
}
