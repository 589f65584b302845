import type { Transform } from 'node:stream';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzipSync,
  type BrotliOptions,
  type ZlibOptions,
} from 'node:zlib';
import { readAcceptEncoding, type Coding } from './accept-encoding.ts';

export interface CompressionSettings {
  /** 0 to 11. */
  readonly brotliQuality: number;
  /** 1 to 9. */
  readonly gzipLevel: number;
  /** Answers smaller than this are sent as they are. */
  readonly from_bytes: number;
  /** Answers compressed while they are sent, at one time; further ones are sent as they are. */
  readonly most_streams: number;
}

/** Makes answers smaller for callers that can read them so. */
export interface Compression {
  /** Whether an answer of this length (undefined: a stream) differs by what callers accept. */
  varies(length: number | undefined): boolean;
  /** The coding for an answer of this length to a caller that sent this Accept-Encoding. */
  choose(header: string | undefined, length: number | undefined): Coding | undefined;
  /** A body at once. */
  compress(body: readonly Buffer[], coding: Coding): Buffer;
  /** Bytes that never change: compressed the first time, and kept. */
  compressOnce(bytes: Buffer, coding: Coding): Buffer;
  /** A body as it passes; undefined when as many are under way as may be. */
  open(coding: Coding): Transform | undefined;
}

/** A window of 256 KiB, in place of the 4 MiB that every answer would hold of its past. */
const WINDOW_BITS = 18;

export function createCompression(settings: CompressionSettings): Compression {
  const { brotliQuality, gzipLevel, from_bytes, most_streams } = settings;
  const brotli: BrotliOptions = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  };
  const gzip: ZlibOptions = { level: gzipLevel };
  const kept = new WeakMap<Buffer, Map<Coding, Buffer>>();
  let streams = 0;
  const compress = (bytes: Buffer, coding: Coding): Buffer =>
    coding === 'br' ? brotliCompressSync(bytes, brotli) : gzipSync(bytes, gzip);
  const varies = (length: number | undefined): boolean =>
    length === undefined || length >= from_bytes;
  return {
    varies,
    choose(header, length) {
      const isLarge = varies(length);
      // Only who refuses answers as they are has small ones compressed.
      if (!isLarge && (length === 0 || header === undefined || !header.includes('=0'))) {
        return undefined;
      }
      const { coding, isDue } = readAcceptEncoding(header);
      return isLarge || isDue ? coding : undefined;
    },
    compress: (body, coding) =>
      compress(body.length === 1 ? body[0]! : Buffer.concat(body), coding),
    compressOnce(bytes, coding) {
      const forms = kept.get(bytes) ?? new Map<Coding, Buffer>();
      const form = forms.get(coding) ?? compress(bytes, coding);
      kept.set(bytes, forms.set(coding, form));
      return form;
    },
    open(coding) {
      if (streams >= most_streams) return undefined;
      streams += 1;
      const transform = coding === 'br' ? createBrotliCompress(brotli) : createGzip(gzip);
      transform.once('close', () => {
        streams -= 1;
      });
      return transform;
    },
  };
}
