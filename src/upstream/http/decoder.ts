import { createGunzip } from 'node:zlib';

/**
 * The `Accept-Encoding` sent to nodes (RFC 9110, section 12.5.3). Not brotli: 800 bytes of it may hold a gigabyte,
 * and each response would take up to 16 MiB. Those of gzip hold at most a thousand times their size.
 */
export const ACCEPTED_ENCODING = 'gzip';

export interface DecoderEvents {
  onData(bytes: Buffer): void;
  onEnd(): void;
  /** The bytes are invalid or truncated. */
  onError(): void;
  /** More bytes may be written. */
  onDrain(): void;
}

/** Decompresses a body chunk by chunk. */
export interface Decoder {
  /** Returns false when writing should pause until `onDrain`. */
  write(chunk: Buffer): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** Opens the decoder for a content coding; returns undefined for an unsupported one. */
export function openDecoder(coding: string, events: DecoderEvents): Decoder | undefined {
  if (!/^\s*(?:x-)?gzip\s*$/i.test(coding)) return undefined;
  const transform = createGunzip();
  transform.on('data', (bytes: Buffer) => events.onData(bytes));
  transform.on('end', () => events.onEnd());
  transform.on('error', () => events.onError());
  transform.on('drain', () => events.onDrain());
  return {
    write: (chunk) => transform.write(chunk),
    end: () => void transform.end(),
    pause: () => void transform.pause(),
    resume: () => void transform.resume(),
    destroy: () => void transform.destroy(),
  };
}
