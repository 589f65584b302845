import type { ErrorCatalog, GatewayReason, RpcError } from '../errors/catalog.ts';
import { examined, type NodeError } from '../errors/node-error.ts';
import { err, ok } from '../errors/result.ts';
import type { Charge, DeliveryOutcome, Outcome, StreamedResult } from '../rpc/call.ts';
import type {
  FailureCause,
  ResultStream,
  StreamEnd,
  StreamingOutcome,
} from '../upstream/upstream.ts';
import type { GatewayMethod } from './method-table.ts';
import { readRevert } from './revert.ts';

const NULL = Buffer.from('null');

/** Sent to callers whose plan lacks request forwarding. */
const UPGRADE =
  'a plan with request forwarding has this call answered by a partner while the network is down';

/** The error for each cause of an upstream failure. */
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
  // The caller has left and does not receive the error.
  aborted: 'no_upstream',
};

export interface ClassifyOptions {
  readonly method: GatewayMethod;
  readonly charge: Charge;
  readonly errors: ErrorCatalog;
  /** Maximum size of the answer. */
  readonly limitBytes: number;
}

/**
 * Turns the outcome of an upstream into the answer to the caller. The charge is attached to answers
 * that cost credits and released otherwise.
 */
export function classify(
  outcome: StreamingOutcome,
  { method, charge, errors, limitBytes }: ClassifyOptions,
): Outcome {
  if (outcome.kind === 'failure') {
    charge.release();
    const reason = reasons[outcome.cause];
    const data = {
      ...(outcome.cause === 'too_large' ? { limitBytes } : {}),
      ...(outcome.upgrade === true ? { upgrade: UPGRADE } : {}),
    };
    return err(errors.fail(reason, { data }));
  }
  const by = outcome.by?.isPartner === true ? { forwardedTo: outcome.by.name } : {};
  if (outcome.kind === 'result') return { ...by, ...ok(outcome.result), charge };
  if (outcome.kind === 'stream') return { ...by, ...ok(toStreamedResult(outcome.stream)), charge };
  if (meansNotFound(method, outcome.error)) return { ...by, ...ok(NULL), charge };
  const error = toRpcError(method, outcome.error, errors);
  if (errors.isCharged(error)) return { ...by, ...err(error), charge };
  charge.release();
  return { ...by, ...err(error) };
}

function toStreamedResult(stream: ResultStream): StreamedResult {
  return {
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
    ended: stream.ended.then(toDeliveryOutcome),
  };
}

/** `aborted` is caused by the caller: it hung up, or read nothing for too long. */
function toDeliveryOutcome(end: StreamEnd): DeliveryOutcome {
  if (end.kind === 'whole') return 'complete';
  return end.cause === 'aborted' ? 'caller_left' : 'cut';
}

function meansNotFound({ notFound }: GatewayMethod, error: NodeError): boolean {
  const text = examined(error.message);
  return notFound.some(({ code, message }) => code === error.code && message.test(text));
}

function toRpcError(method: GatewayMethod, error: NodeError, errors: ErrorCatalog): RpcError {
  const revert = method.reverts ? readRevert(error) : undefined;
  return revert === undefined
    ? errors.fromNode(error)
    : errors.reverted(revert.detail, revert.data);
}
