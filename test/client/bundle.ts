import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../generated/client/src/index.ts');

/** Bundles and minifies a program; `from 'client'` in it is the client of openrpc.json. */
export async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    alias: { client: source },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

/** Returns the compressed size in bytes. */
export const gzipped = (text: string): number => gzipSync(text, { level: 9 }).length;
