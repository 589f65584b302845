import type { Caller } from '../auth/caller.ts';
import type { RpcError } from '../errors/catalog.ts';
import type { Answer } from '../rpc/core.ts';
import type { Message } from '../rpc/message.ts';
import { accountHeaders } from './account-headers.ts';
import type { Exchange } from './exchange.ts';
import { send, sendPieces } from './send.ts';
import { retirementHeaders } from './retirement-headers.ts';

/** Sends the core's answer; to a caller that is known, with the state of the account. */
export function sendAnswer(
  exchange: Exchange,
  answer: Answer,
  caller: Caller | undefined,
): Promise<void> | void {
  const standing = caller && exchange.site.desk.standing(caller);
  const headers = standing === undefined ? [] : accountHeaders(answer.credits, standing);
  if (answer.forwardedTo !== undefined) headers.push('x-forwarded-to', answer.forwardedTo);
  if (answer.retirements !== undefined) headers.push(...retirementHeaders(answer.retirements));
  if (answer.error?.reason === 'rate_limited') headers.push(...retryAfter(answer.error));
  if (exchange.request.method !== 'POST') headers.push('cache-control', 'no-store');
  if (answer.stream !== undefined) {
    const { compression } = exchange.site;
    const coding = compression?.choose(exchange.request.headers['accept-encoding'], undefined);
    return sendPieces(exchange, answer.status, { headers, pieces: answer.stream, coding });
  }
  return send(exchange, answer.status, { headers, body: answer.body });
}

/** Refuses a request as a whole; `message` is what was read of it, if anything. */
export function sendError(
  exchange: Exchange,
  error: RpcError,
  {
    message,
    caller,
    headers = [],
  }: {
    readonly message?: Message;
    readonly caller?: Caller;
    readonly headers?: readonly string[];
  } = {},
): Promise<void> | void {
  const { site, requestId, connection, delivery } = exchange;
  if (caller === undefined) delivery.isLast = connection.refused();
  site.watcher.onRefusal(error, requestId, caller);
  const answer = site.rpc.refuse(message, error, requestId);
  if (headers.length === 0) return sendAnswer(exchange, answer, caller);
  return send(exchange, answer.status, { headers, body: answer.body });
}

/** RFC 9110, section 10.2.3: whole seconds. */
function retryAfter({ data }: RpcError): string[] {
  const { retryAfterMs } = data as { retryAfterMs?: number };
  return ['retry-after', String(Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000)))];
}
