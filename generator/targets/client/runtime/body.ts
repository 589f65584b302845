/** The part of the standard `Response` body that is read here. */
export interface ReadableBody {
  readonly body: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
      cancel(reason?: unknown): Promise<unknown>;
    };
  } | null;
  /** A `fetch` of one's own may give no stream and hold to the bound itself, as `readText` does. */
  text(maxBytes?: number): Promise<string | null>;
}

/**
 * Reads a body as UTF-8 text, as far as `maxBytes`; null when it is longer (the rest is not fetched).
 * Where a runtime gives no stream it cannot be bounded.
 */
export async function readText(response: ReadableBody, maxBytes: number): Promise<string | null> {
  const reader = response.body?.getReader();
  if (!reader) return response.text(maxBytes);
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for (let value; (value = (await reader.read()).value);) {
    bytes += value.length;
    if (bytes > maxBytes) {
      void reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}
