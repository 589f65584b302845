import type { Caller } from '../auth/caller.ts';
import type { Ledger, Refusal } from '../credits/ledger.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import { err } from '../errors/result.ts';
import type { Backend, Call } from '../rpc/call.ts';
import type { Head } from '../upstream/health/probes.ts';
import type { StreamingUpstream, UpstreamCall } from '../upstream/upstream.ts';
import { classify } from './classify.ts';
import type { GatewayMethod } from './method-table.ts';
import { needsGasLimit, rewriteParams } from './rewrite-params.ts';

export interface GatewayOptions {
  readonly upstream: StreamingUpstream;
  /** Returns the newest block known to the network's healthy upstreams. */
  readonly head: () => Head | undefined;
  readonly ledger: Ledger;
  readonly errors: ErrorCatalog;
  /** Maximum size of an answer sent whole. */
  readonly response_bytes: number;
  /** Maximum size of a streamed answer. */
  readonly stream_bytes: number;
}

/** Answers valid calls from a network's nodes: rewrite → reserve → upstream → classify. */
export function createGatewayBackend(options: GatewayOptions): Backend<GatewayMethod, Caller> {
  const { upstream, ledger, errors } = options;
  return async (call, caller, signal) => {
    const { method, streams } = call;
    const { entry } = method;
    const head = options.head();
    // Without a head the gas cap is unknown, and no upstream is healthy either.
    if (head === undefined && needsGasLimit(entry)) return err(errors.fail('no_upstream'));
    const params = rewriteParams(entry, call, head?.gasLimit ?? null);
    const reserving = ledger.reserve(caller, entry.name, entry.credits);
    const charge = reserving instanceof Promise ? await reserving : reserving;
    if ('reason' in charge) return err(toRpcError(errors, charge));
    // A caller that leaves does not cancel a call that was sent: it is charged once a node answers.
    const sent = { ...toUpstreamCall(call, params, caller), abandoned: signal };
    try {
      const outcome = await upstream(sent, new AbortController().signal);
      const limitBytes = streams ? options.stream_bytes : options.response_bytes;
      return classify(outcome, { method, charge, errors, limitBytes });
    } catch (error) {
      charge.release();
      throw error;
    }
  };
}

function toUpstreamCall(
  { method: { entry }, requestId, streams, trace }: Call<GatewayMethod>,
  params: Buffer,
  caller: Caller,
): UpstreamCall {
  const account = caller.accountId;
  const call = { method: entry.name, params, requestId, streams, trace, account };
  if (!entry.forwarding) return call;
  return { ...call, forwarding: caller.forwarding ? 'included' : 'upgrade' };
}

function toRpcError(errors: ErrorCatalog, refusal: Refusal): RpcError {
  if (refusal.reason === 'store_unavailable') return errors.fail('store_unavailable');
  const { cost, remaining, resetsAt_ms } = refusal;
  const resetsAt = new Date(resetsAt_ms).toISOString();
  return errors.fail('credits_exhausted', { data: { cost, remaining, resetsAt } });
}
