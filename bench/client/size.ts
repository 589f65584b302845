import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { join } from 'node:path';

export interface Size {
  readonly name: string;
  readonly minified_bytes: number;
  readonly gzipped_bytes: number;
}

const own = join(import.meta.dirname, '../../generated/client/src/index.ts');
const url = 'https://rpc.example.com/v3/key';

/** One call with each client, written as its users write it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'specgate, HTTP': `import { createClient, http } from '${own}';
    const client = createClient({ transport: http({ url: '${url}' }) });
    console.log(await client.ethGetBlockByNumber('latest', false));`,
  'specgate, WebSocket': `import { createClient, webSocket } from '${own}';
    const client = createClient({ transport: webSocket({ url: '${url.replace('http', 'ws')}' }) });
    console.log(await client.ethGetBlockByNumber('latest', false));`,
  'specgate, both, exact integers': `import { createClient, http, webSocket, exactJson } from '${own}';
    const transport = globalThis.socket
      ? webSocket({ url: '${url.replace('http', 'ws')}', json: exactJson })
      : http({ url: '${url}', json: exactJson });
    console.log(await createClient({ transport }).ethGetBlockByNumber('latest', false));`,
  'viem, request only': `import { createClient, http } from 'viem';
    const client = createClient({ transport: http('${url}') });
    console.log(await client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }));`,
  viem: `import { createPublicClient, http } from 'viem';
    const client = createPublicClient({ transport: http('${url}') });
    console.log(await client.getBlock({ blockTag: 'latest' }));`,
  ethers: `import { JsonRpcProvider } from 'ethers';
    console.log(await new JsonRpcProvider('${url}').getBlock('latest'));`,
  '@solana/kit': `import { address, createSolanaRpc } from '@solana/kit';
    const rpc = createSolanaRpc('${url}');
    console.log(await rpc.getProgramAccounts(address('11111111111111111111111111111111')).send());`,
  '@open-rpc/client-js': `import { Client, HTTPTransport, RequestManager } from '@open-rpc/client-js';
    const client = new Client(new RequestManager([new HTTPTransport('${url}')]));
    console.log(await client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }));`,
};

/** Bundles and minifies each program for a browser, and measures its size, also gzipped. */
export async function measureSizes(): Promise<readonly Size[]> {
  const sizes: Size[] = [];
  for (const [name, contents] of Object.entries(PROGRAMS)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      logLevel: 'silent',
    });
    const { contents: bytes } = outputFiles[0]!;
    const gzipped_bytes = gzipSync(bytes, { level: 9 }).length;
    sizes.push({ name, minified_bytes: bytes.length, gzipped_bytes });
  }
  return sizes;
}
