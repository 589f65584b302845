import type { ErrorCatalog, GatewayReason, RpcError } from '../errors/catalog.ts';
import { examined, type NodeError } from '../errors/node-error.ts';
import type { Charge, Outcome, StreamedResult, StreamFate } from '../rpc/call.ts';
import type {
  FailureCause,
  ResultStream,
  StreamEnd,
  StreamingOutcome,
} from '../upstream/upstream.ts';
import type { GatewayMethod } from './method-table.ts';
import { readRevert } from './revert.ts';

const NULL = Buffer.from('null');

/** What a caller is told whose plan does not include what would have helped. */
const UPGRADE =
  'a plan with request forwarding has this call answered by a partner while the network is down';

/** What a caller is told when no node's answer was had. */
const reasons: Readonly<Record<FailureCause, GatewayReason>> = {
  timeout: 'upstream_timeout',
  malformed: 'invalid_upstream_response',
  too_large: 'response_too_large',
  connection: 'no_upstream',
  status: 'no_upstream',
  unhealthy: 'no_upstream',
  overloaded: 'no_upstream',
  none: 'no_upstream',
  // Nobody is left to be told.
  aborted: 'no_upstream',
};

/**
 * Turns what an upstream said into what the caller is told. A charge goes along with an answer that
 * is paid for; otherwise it is released here.
 */
export function classify(
  outcome: StreamingOutcome,
  {
    method,
    charge,
    errors,
    response_bytes,
  }: {
    readonly method: GatewayMethod;
    readonly charge: Charge;
    readonly errors: ErrorCatalog;
    /** What the answer to this call may have at most. */
    readonly response_bytes: number;
  },
): Outcome {
  if (outcome.kind === 'failure') {
    charge.release();
    const reason = reasons[outcome.cause];
    const data = {
      ...(reason === 'response_too_large' ? { limitBytes: response_bytes } : {}),
      ...(outcome.upgrade === true ? { upgrade: UPGRADE } : {}),
    };
    return { error: errors.fail(reason, { data }) };
  }
  const answer = outcome.by?.isPartner === true ? { forwardedTo: outcome.by.name } : {};
  if (outcome.kind === 'result') return { ...answer, result: outcome.result, charge };
  if (outcome.kind === 'stream') return { ...answer, stream: streamed(outcome.stream), charge };
  if (meansNotFound(method, outcome.error)) return { ...answer, result: NULL, charge };
  const error = toRpcError(method, outcome.error, errors);
  if (errors.isCharged(error)) return { ...answer, error, charge };
  charge.release();
  return { ...answer, error };
}

function streamed(stream: ResultStream): StreamedResult {
  return {
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
    fate: stream.ended.then(fateOf),
  };
}

/** `aborted` is the caller's doing: it went away, or took nothing for too long. */
function fateOf(end: StreamEnd): StreamFate {
  if (end.kind === 'whole') return 'all';
  return end.cause === 'aborted' ? 'left' : 'lost';
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
