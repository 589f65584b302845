/** The part of the standard `Response` body that is read here. */
export interface ReadableBody {
  readonly body: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
      cancel(reason?: unknown): Promise<unknown>;
    };
  } | null;
  text(): Promise<string>;
}

/**
 * Reads a body as UTF-8 text, as far as `maxBytes`; null when it is longer (the rest is not fetched).
 * Where a runtime gives no stream, the text is measured after it was read.
 */
export async function readText(response: ReadableBody, maxBytes: number): Promise<string | null> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = reader === undefined ? await response.text() : '';
  for (let value; (value = (await reader?.read())?.value) !== undefined;) {
    bytes += value.length;
    if (bytes > maxBytes) {
      void reader?.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
  text += decoder.decode();
  return text.length > maxBytes ? null : text;
}
