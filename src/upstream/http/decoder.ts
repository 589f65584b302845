import { createBrotliDecompress, createGunzip } from 'node:zlib';

/** The `Accept-Encoding` sent to nodes (RFC 9110, section 12.5.3). */
export const ACCEPTED_ENCODINGS = 'gzip, br';

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
  const transform = openers.get(coding.trim().toLowerCase())?.();
  if (transform === undefined) return undefined;
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

const openers = new Map<string, typeof createGunzip | typeof createBrotliDecompress>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
]);
