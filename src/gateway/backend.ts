import type { Caller } from '../auth/caller.ts';
import type { Ledger, Refusal } from '../credits/ledger.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import type { Backend, Call } from '../rpc/call.ts';
import type { Head } from '../upstream/health/probes.ts';
import type { StreamingUpstream, UpstreamCall } from '../upstream/upstream.ts';
import { classify } from './classify.ts';
import type { GatewayMethod } from './method-table.ts';
import { needsGasLimit, rewriteParams } from './rewrite-params.ts';

export interface GatewayOptions {
  readonly upstream: StreamingUpstream;
  /** The newest block the network's fit upstreams know. */
  readonly head: () => Head | undefined;
  readonly ledger: Ledger;
  readonly errors: ErrorCatalog;
  /** What an answer may have at most, given whole or as a stream. */
  readonly response_bytes: number;
  readonly stream_bytes: number;
}

/** Answers valid calls from a network's nodes: rewrite → reserve → ask → classify. */
export function createGatewayBackend(options: GatewayOptions): Backend<GatewayMethod, Caller> {
  const { upstream, ledger, errors } = options;
  return async (call, caller, signal) => {
    const { method } = call;
    const { entry } = method;
    const head = options.head();
    // Without a head the cap of the document cannot be kept, and no upstream is fit either.
    if (head === undefined && needsGasLimit(entry)) return { error: errors.fail('no_upstream') };
    const params = rewriteParams(entry, call, head?.gasLimit ?? null);
    const reserving = ledger.reserve(caller, entry.name, entry.credits);
    const charge = reserving instanceof Promise ? await reserving : reserving;
    if ('reason' in charge) return { error: refusalError(errors, charge) };
    const { streams } = call;
    // A caller that leaves does not cancel a call that was sent: it is charged once a node answers.
    const asked = { ...toUpstreamCall(call, params, caller), abandoned: signal };
    try {
      const outcome = await upstream(asked, new AbortController().signal);
      const response_bytes = streams ? options.stream_bytes : options.response_bytes;
      return classify(outcome, { method, charge, errors, response_bytes });
    } catch (fault) {
      charge.release();
      throw fault;
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

function refusalError(errors: ErrorCatalog, refusal: Refusal): RpcError {
  if (refusal.reason === 'store_unavailable') return errors.fail('store_unavailable');
  const { cost, remaining, resetsAt_ms } = refusal;
  const resetsAt = new Date(resetsAt_ms).toISOString();
  return errors.fail('credits_exhausted', { data: { cost, remaining, resetsAt } });
}
