import {
  failureOf,
  MAX_ANSWER_CHARS,
  TIMEOUT_MS,
  tooLarge,
  type Call,
  type Outcome,
} from './outcome.ts';

/** One call by POST. Resolves with a failure, never rejects. */
export async function sendHttp({ url, body, signal }: Call): Promise<Outcome> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const start = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: bounded,
    });
    const text = await readText(response);
    if (text === null) return tooLarge;
    return {
      kind: 'answer',
      text,
      status: response.status,
      headers: response.headers,
      latencyMs: performance.now() - start,
      connectMs: null,
      note: null,
    };
  } catch {
    return failureOf(bounded, url);
  }
}

/** The text of an answer; null when there is too much of it. */
async function readText({ body }: Response): Promise<string | null> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_ANSWER_CHARS) {
      await reader.cancel();
      return null;
    }
  }
}
