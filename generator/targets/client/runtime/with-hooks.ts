import type { Hooks, Outcome } from './options.ts';
import { type ResponseInfo, type Transport, wrapTransport } from './transport.ts';

/** Tells hooks of each attempt at a call, and how it ended. */
export function withHooks<Wide>(
  transport: Transport<Wide>,
  { onRequest, onResponse }: Hooks,
): Transport<Wide> {
  return wrapTransport(transport, async (call, context) => {
    const { method, params } = call;
    const attempt = { method, params, attempt: context.attempt };
    const startedMs = performance.now();
    const tell = (outcome: Pick<Outcome, 'result' | 'error' | 'response'>): void =>
      onResponse?.({ ...attempt, durationMs: performance.now() - startedMs, ...outcome });
    onRequest?.(attempt);
    let answer;
    try {
      answer = await transport(call, context);
    } catch (error) {
      tell({ error, response: (error as { response?: ResponseInfo }).response ?? null });
      throw error;
    }
    tell(answer);
    return answer;
  });
}
