import { z } from 'zod';

/** How answers to callers are compressed, for those that accept it. */
export const compression = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether it is offered at all.'),
  brotliQuality: z
    .int()
    .min(0)
    .max(11)
    .default(1)
    .describe('0 to 11. JSON full of hexadecimal gains next to nothing above 1.'),
  gzipLevel: z.int().min(1).max(9).default(1).describe('1 to 9; the same is true of it.'),
});

export type CompressionConfig = z.output<typeof compression>;

/** Where nothing is set. */
export const usualCompression: CompressionConfig = compression.parse({});
