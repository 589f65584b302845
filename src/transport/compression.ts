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

/** Content codings that answers may be sent in (RFC 9110, section 8.4.1; RFC 7932). */
export type Coding = 'br' | 'gzip';

export interface CompressionSettings {
  /** 0 to 11. */
  readonly brotliQuality: number;
  /** 1 to 9. */
  readonly gzipLevel: number;
  /** Smaller answers are not compressed. */
  readonly from_bytes: number;
  /** Streams compressed at a time; further ones are sent uncompressed. */
  readonly max_streams: number;
}

/** Compresses answers for callers that accept it. */
export interface Compression {
  /** Whether an answer of this length (undefined: a stream) depends on Accept-Encoding. */
  varies(length: number | undefined): boolean;
  /** Returns the coding for an answer of this length, given the Accept-Encoding header. */
  choose(header: string | undefined, length: number | undefined): Coding | undefined;
  /** Compresses a whole body. */
  compress(body: readonly Buffer[], coding: Coding): Buffer;
  /** Compresses bytes that never change, and caches the result. */
  compressOnce(bytes: Buffer, coding: Coding): Buffer;
  /** Returns a compressing stream; undefined when `max_streams` are open. */
  open(coding: Coding): Transform | undefined;
}

/** A window of 256 KiB instead of 4 MiB, to save memory for each stream. */
const WINDOW_BITS = 18;

export function createCompression(settings: CompressionSettings): Compression {
  const { brotliQuality, gzipLevel, from_bytes, max_streams } = settings;
  const brotli: BrotliOptions = {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  };
  const gzip: ZlibOptions = { level: gzipLevel };
  const cache = new WeakMap<Buffer, Map<Coding, Buffer>>();
  let streams = 0;
  const compress = (bytes: Buffer, coding: Coding): Buffer =>
    coding === 'br' ? brotliCompressSync(bytes, brotli) : gzipSync(bytes, gzip);
  const varies = (length: number | undefined): boolean =>
    length === undefined || length >= from_bytes;
  return {
    varies,
    choose(header, length) {
      const isLarge = varies(length);
      // Small answers are compressed only if uncompressed ones are refused.
      if (!isLarge && (length === 0 || header === undefined || !header.includes('=0'))) {
        return undefined;
      }
      const { coding, isRequired } = readAcceptEncoding(header);
      return isLarge || isRequired ? coding : undefined;
    },
    compress: (body, coding) =>
      compress(body.length === 1 ? body[0]! : Buffer.concat(body), coding),
    compressOnce(bytes, coding) {
      const forms = cache.get(bytes) ?? new Map<Coding, Buffer>();
      const form = forms.get(coding) ?? compress(bytes, coding);
      cache.set(bytes, forms.set(coding, form));
      return form;
    },
    open(coding) {
      if (streams >= max_streams) return undefined;
      streams += 1;
      const transform = coding === 'br' ? createBrotliCompress(brotli) : createGzip(gzip);
      transform.once('close', () => {
        streams -= 1;
      });
      return transform;
    },
  };
}

/** The content codings a caller accepts. */
export interface Acceptance {
  /** The preferred one; undefined when the caller prefers uncompressed answers. */
  readonly coding: Coding | undefined;
  /** Whether the caller accepts only compressed answers. */
  readonly isRequired: boolean;
}

/** Of codings with equal weights, the first is chosen: it is faster and compresses better. */
const codings: readonly Coding[] = ['br', 'gzip'];

const NONE: Acceptance = { coding: undefined, isRequired: false };

/**
 * Maximum length of a header that is read: all registered codings with weights are shorter. Reading 16 KB
 * takes as long as handling several calls, and needs no key.
 */
const MAX_HEADER_CHARSACTERS = 512;

/**
 * Parses an Accept-Encoding header (RFC 9110, section 12.5.3). A header that refuses every coding is
 * ignored, as section 12.1 allows, because the answer was paid for; so is a very long one.
 */
export function readAcceptEncoding(header: string | undefined): Acceptance {
  if (header === undefined || header === '' || header.length > MAX_HEADER_CHARSACTERS) return NONE;
  const weights = weightsOf(header);
  const others = weights.get('*');
  // Uncompressed answers are refused by `identity;q=0`, or by `*;q=0`.
  const identity = weights.get('identity') ?? (others === 0 ? 0 : undefined);
  let coding: Coding | undefined;
  let best = identity ?? 0;
  for (const each of codings) {
    const weight = weights.get(each) ?? others ?? 0;
    if (weight === 0 || weight < best || (coding !== undefined && weight === best)) continue;
    coding = each;
    best = weight;
  }
  return { coding, isRequired: coding !== undefined && identity === 0 };
}

/** Returns the weight of each coding, 0 to 1. Skips invalid entries. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = weightIn(parameters);
    if (name !== '' && weight !== undefined) weights.set(name === 'x-gzip' ? 'gzip' : name, weight);
  }
  return weights;
}

function weightIn(parameters: readonly string[]): number | undefined {
  if (parameters.length === 0) return 1;
  const [, digits] = /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters[0]!) ?? [];
  return parameters.length === 1 && digits !== undefined ? Number(digits) : undefined;
}
