import { usualCompression, type CompressionConfig } from '../config/compression-schema.ts';
import type { Limits } from '../config/limits.ts';
import { createCompression, type Compression } from '../transport/compression.ts';

/** Compression as it is configured; undefined when it is switched off. */
export function openCompression(
  { enabled, brotliQuality, gzipLevel }: CompressionConfig = usualCompression,
  { compress_from_bytes, compressed_streams }: Limits,
): Compression | undefined {
  if (!enabled) return undefined;
  return createCompression({
    brotliQuality,
    gzipLevel,
    from_bytes: compress_from_bytes,
    max_streams: compressed_streams,
  });
}
