import {
  failureOf,
  MAX_ANSWER_CHARACTERS,
  TIMEOUT_MS,
  tooLarge,
  type Call,
  type Outcome,
} from './outcome.ts';

/** Sends a call over a new WebSocket. Never rejects. */
export function sendWebSocket({ url, body, isNotification, signal }: Call): Promise<Outcome> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const start = performance.now();
  const socket = new WebSocket(url);
  let openedAt: number | undefined;
  return new Promise<Outcome>((resolve) => {
    const end = (outcome: Outcome): void => {
      resolve(outcome);
      socket.close();
    };
    const answer = (text: string): Outcome => ({
      kind: 'answer',
      text,
      status: null,
      headers: new Headers(),
      latencyMs: performance.now() - openedAt!,
      connectMs: openedAt! - start,
      note: null,
    });
    bounded.addEventListener('abort', () => end(failureOf(bounded, url)), { once: true });
    if (bounded.aborted) end(failureOf(bounded, url));
    socket.addEventListener('open', () => {
      openedAt = performance.now();
      socket.send(body);
      if (isNotification) end(answer(''));
    });
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      end(text.length > MAX_ANSWER_CHARACTERS ? tooLarge : answer(text));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      end({
        kind: 'failure',
        reason: openedAt === undefined ? 'refused' : 'closed',
        cause:
          openedAt === undefined
            ? 'The WebSocket could not be opened; browsers do not report why.'
            : `The service closed the WebSocket without a response (code ${code}${reason === '' ? '' : `, ${reason}`}).`,
        fix: 'Try again, or call over HTTP.',
      });
    });
  });
}
