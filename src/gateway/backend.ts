import type { Caller } from '../auth/caller.ts';
import type { Ledger, Refusal, Reservation } from '../credits/ledger.ts';
import type { ErrorCatalog, RpcError, GatewayReason } from '../errors/catalog.ts';
import { err } from '../errors/result.ts';
import type {
  Backend,
  Call,
  Charge,
  DeliveryOutcome,
  Outcome,
  StreamedResult,
} from '../rpc/call.ts';
import { NEVER, type CancelSignal } from '../time/cancellation.ts';
import type { Head } from '../upstream/health/probes.ts';
import type {
  StreamingUpstream,
  UpstreamCall,
  FailureCause,
  ResultStream,
  StreamEnd,
  StreamingOutcome,
} from '../upstream/upstream.ts';
import type { GatewayMethod } from './method-table.ts';
import { needsGasLimit, rewriteParams } from './rewrite-params.ts';
import type { NodeError } from '../errors/node-error.ts';
import { meansNotFound } from '../errors/not-found.ts';
import { readRevert } from './revert.ts';

interface GatewayOptions {
  /** Names of the plans with request forwarding. */
  readonly forwardingPlans: readonly string[];
  readonly upstream: StreamingUpstream;
  /** Returns the newest block known to the network's healthy upstreams. */
  readonly head: () => Head | undefined;
  readonly ledger: Ledger;
  readonly errors: ErrorCatalog;
  /** A node still works on a call of this account that has ended, until `ended` settles. */
  readonly onUncanceled: (accountId: string, ended: Promise<void>) => void;
  /** Maximum size of a response sent whole. */
  readonly response_bytes: number;
  /** Maximum size of a streamed response. */
  readonly stream_bytes: number;
}

/** Serves valid calls from a network's nodes: rewrite → reserve → upstream → classify. */
export function createGatewayBackend(options: GatewayOptions): Backend<GatewayMethod, Caller> {
  const { upstream, ledger, errors, forwardingPlans, onUncanceled } = options;
  const send = (
    { method, streams }: Call<GatewayMethod>,
    call: UpstreamCall,
    charge: Reservation | Refusal,
  ): Promise<Outcome> | Outcome => {
    if ('reason' in charge) return err(toRpcError(errors, charge));
    const limitBytes = streams ? options.stream_bytes : options.response_bytes;
    const context = { method, charge, errors, limitBytes, forwardingPlans };
    return upstream(call, NEVER).then(
      (outcome) => classify(outcome, context),
      (error: unknown) => {
        charge.release();
        throw error;
      },
    );
  };
  return (call, caller, signal) => {
    const { entry } = call.method;
    const head = options.head();
    // Without a head the gas cap is unknown, and no upstream is healthy either.
    if (head === undefined && needsGasLimit(entry)) return err(errors.fail('no_upstream'));
    const params = rewriteParams(entry, call, head?.gasLimit ?? null);
    const sent = toUpstreamCall(call, params, { caller, signal, onUncanceled });
    const reserving = ledger.reserve(caller, entry.name, entry.credits);
    return reserving instanceof Promise
      ? reserving.then((charge) => send(call, sent, charge))
      : send(call, sent, reserving);
  };
}

function toUpstreamCall(
  { method: { entry }, requestId, streams, batch, trace }: Call<GatewayMethod>,
  params: Buffer,
  {
    caller,
    signal,
    onUncanceled,
  }: Pick<GatewayOptions, 'onUncanceled'> & {
    readonly caller: Caller;
    readonly signal: CancelSignal;
  },
): UpstreamCall {
  const isForwarded = entry.forwarding && caller.isForwarded !== true;
  const forwarding = caller.forwarding ? 'included' : 'upgrade';
  return {
    method: entry.name,
    params,
    requestId,
    streams,
    batch,
    trace,
    account: caller.accountId,
    forwarding: isForwarded ? forwarding : undefined,
    // A caller that disconnects does not cancel a call that was sent: it is charged once a node responds.
    abandoned: signal,
    onUncanceled: (ended) => onUncanceled(caller.accountId, ended),
  };
}

function toRpcError(errors: ErrorCatalog, refusal: Refusal): RpcError {
  if (refusal.reason === 'store_unavailable') return errors.fail('store_unavailable');
  const { cost, remaining, resetsAt_ms } = refusal;
  const resetsAt = new Date(resetsAt_ms).toISOString();
  return errors.fail('credits_exhausted', { data: { cost, remaining, resetsAt } });
}

const NULL = Buffer.from('null');

/** Describes the upgrade for callers whose plan lacks request forwarding. */
function describeUpgrade(plans: readonly string[]): string {
  const [first = '', ...others] = plans;
  const named =
    others.length === 0
      ? first
      : `${[first, ...others.slice(0, -1)].join(', ')} or ${others.at(-1)}`;
  const plan = plans.length === 0 ? 'a plan with request forwarding' : `plan ${named}`;
  return `on ${plan}, a partner serves this call while the network is down`;
}

const reasons: Readonly<Record<FailureCause, GatewayReason>> = {
  timeout: 'upstream_timeout',
  malformed: 'invalid_upstream_response',
  too_large: 'response_too_large',
  too_deep: 'response_too_large',
  connection: 'no_upstream',
  interrupted: 'no_upstream',
  status: 'no_upstream',
  unhealthy: 'no_upstream',
  overloaded: 'no_upstream',
  none: 'no_upstream',
  unread: 'too_many_calls_in_flight',
  // The caller has disconnected and does not receive the error.
  aborted: 'no_upstream',
};

/** Failures after a node has done the work. */
const ANSWERED: ReadonlySet<FailureCause> = new Set(['too_large', 'too_deep', 'unread']);

interface ClassifyOptions {
  readonly method: GatewayMethod;
  readonly charge: Charge;
  readonly errors: ErrorCatalog;
  /** Maximum size of the response. */
  readonly limitBytes: number;
  readonly forwardingPlans: readonly string[];
}

/**
 * Turns the outcome of an upstream into that of the call. The charge is attached to outcomes that
 * cost credits and released otherwise.
 */
function classify(
  outcome: StreamingOutcome,
  { method, charge, errors, limitBytes, forwardingPlans }: ClassifyOptions,
): Outcome {
  if (outcome.kind === 'failure') {
    const isCharged = ANSWERED.has(outcome.cause) && outcome.isUncertain !== true;
    if (!isCharged) charge.release();
    const reason = reasons[outcome.cause];
    const data = {
      ...(outcome.cause === 'too_large' && { limitBytes: outcome.limit_bytes ?? limitBytes }),
      ...(outcome.cause === 'unread' && { scope: 'account' }),
      ...(outcome.upgrade === true ? { upgrade: describeUpgrade(forwardingPlans) } : {}),
    };
    const failed = err(errors.fail(reason, { data }));
    return isCharged ? { ...failed, charge } : failed;
  }
  const forwardedTo = outcome.by?.isPartner === true ? outcome.by.name : undefined;
  const answer = (value: Buffer | StreamedResult): Outcome => {
    return { ok: true, value, charge, forwardedTo };
  };
  if (outcome.kind === 'result') return answer(outcome.result);
  if (outcome.kind === 'stream') return answer(toStreamedResult(outcome.stream));
  if (method.entry.nullIfNotFound && meansNotFound(outcome.error)) return answer(NULL);
  const error = toCallError(method, outcome.error, errors);
  if (errors.isCharged(error)) return { ...err(error), charge, forwardedTo };
  charge.release();
  return { ...err(error), forwardedTo };
}

function toStreamedResult(stream: ResultStream): StreamedResult {
  return {
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
    ended: stream.ended.then(toDeliveryOutcome),
  };
}

/** `aborted` is caused by the caller: it disconnected, or read nothing for too long. */
function toDeliveryOutcome(end: StreamEnd): DeliveryOutcome {
  if (end.kind === 'whole') return 'complete';
  return end.cause === 'aborted' ? 'caller_left' : 'cut';
}

function toCallError(method: GatewayMethod, error: NodeError, errors: ErrorCatalog): RpcError {
  const revert = method.reverts ? readRevert(error) : undefined;
  return revert === undefined
    ? errors.fromNode(error)
    : errors.reverted(revert.detail, revert.data);
}
