import { createBrotliDecompress, createGunzip } from 'node:zlib';

/** What upstreams are told they may send (RFC 9110, section 12.5.3). */
export const ACCEPTED_ENCODINGS = 'gzip, br';

export interface DecoderEvents {
  onData(bytes: Buffer): void;
  onEnd(): void;
  /** The bytes are not what their encoding says, or end too early. */
  onFlaw(): void;
  /** More bytes may be written. */
  onDrain(): void;
}

/** Decompresses a body as it comes. */
export interface Decoder {
  /** False when no more should be written before `onDrain`. */
  write(chunk: Buffer): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  /** Nothing of it is wanted any more. */
  destroy(): void;
}

/** The decoder for a content coding; undefined when there is none for it. */
export function openDecoder(coding: string, events: DecoderEvents): Decoder | undefined {
  const open = openers.get(coding.trim().toLowerCase());
  if (open === undefined) return undefined;
  const transform = open();
  transform.on('data', (bytes: Buffer) => events.onData(bytes));
  transform.on('end', () => events.onEnd());
  transform.on('error', () => events.onFlaw());
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
