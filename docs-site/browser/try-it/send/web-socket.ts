import {
  failureOf,
  MAX_ANSWER_CHARS,
  TIMEOUT_MS,
  tooLarge,
  type Call,
  type Outcome,
} from './outcome.ts';

/** One call over a socket of its own. Resolves with a failure, never rejects. */
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
      end(text.length > MAX_ANSWER_CHARS ? tooLarge : answer(text));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      end({
        kind: 'failure',
        // Browsers do not tell why a socket was not opened.
        reason: openedAt === undefined ? 'refused' : 'closed',
        cause:
          openedAt === undefined
            ? 'The WebSocket could not be opened; a browser does not say why.'
            : `The service closed the WebSocket before it answered (code ${code}${reason === '' ? '' : `, ${reason}`}).`,
        mend: 'Try again, or call over HTTP.',
      });
    });
  });
}
