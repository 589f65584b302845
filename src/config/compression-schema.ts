import { z } from 'zod';

/** Compression of responses to clients that accept it. */
export const compression = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether responses are compressed.'),
  brotliQuality: z
    .int()
    .min(0)
    .max(11)
    .default(1)
    .describe('0 to 11. Hexadecimal JSON gains almost nothing above 1.'),
  gzipLevel: z.int().min(1).max(9).default(1).describe('1 to 9. See brotliQuality.'),
});

export type CompressionConfig = z.output<typeof compression>;

export const defaultCompression: CompressionConfig = compression.parse({});
