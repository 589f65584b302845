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
  if (response.body === null || response.body === undefined) {
    const text = await response.text();
    return text.length > maxBytes ? null : text;
  }
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}
