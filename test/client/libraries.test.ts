import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BrowserProvider } from 'ethers';
import { createPublicClient, custom, ExecutionRevertedError } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import openrpc from '../../openrpc.json' with { type: 'json' };
import { http } from '../../generator/targets/client/runtime/http.ts';
import type { TypedRequest } from '../../generator/targets/client/runtime/typed-request.ts';
import { type EmittedPackage, emitPackage } from './emit.ts';
import { type FakeServer, rejection, type SeenRequest, sendJson, serveHttp } from './servers.ts';

const account = `0x${'11'.repeat(20)}` as const;
const hash = `0x${'22'.repeat(32)}` as const;
// Error("boom"), ABI-encoded.
const revertData = `0x08c379a0${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${'626f6f6d'.padEnd(64, '0')}`;

const results: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x7a69',
  eth_blockNumber: '0x10',
  eth_getProof: {
    address: account,
    balance: '0xde0b6b3a7640000',
    codeHash: hash,
    nonce: '0x2',
    storageHash: hash,
    accountProof: [],
    storageProof: [],
  },
};

function answerOf({ id, method }: SeenRequest): unknown {
  if (method in results) return { jsonrpc: '2.0', id, result: results[method] };
  const error =
    method === 'eth_estimateGas'
      ? { code: 3, message: 'execution reverted: boom', data: revertData }
      : { code: -32601, message: 'no', data: { reason: 'method_not_found' } };
  return { jsonrpc: '2.0', id, error };
}

/** The type of a generated client's `request`, which both libraries accept. */
interface EvmClient {
  readonly request: TypedRequest<{
    eth_estimateGas: { params: [transaction: { to: string }, block?: string]; result: string };
  }>;
}

let folder: EmittedPackage;
let server: FakeServer;
let client: EvmClient;
beforeAll(async () => {
  folder = await emitPackage(openrpc);
  server = await serveHttp((response, request) => {
    const requests: readonly SeenRequest[] = Array.isArray(request) ? request : [request];
    const answers = requests.map(answerOf);
    sendJson(response, 200, Array.isArray(request) ? answers : answers[0]);
  });
  const { createClient } = await import(pathToFileURL(join(folder.folder, 'src/index.ts')).href);
  client = createClient({ transport: http({ url: server.url }) });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe('as a viem custom transport', () => {
  const connect = () => createPublicClient({ transport: custom(client) });

  test('the client answers viem’s calls', async () => {
    expect(await connect().getChainId()).toBe(31_337);
    const proof = await connect().getProof({ address: account, storageKeys: [] });
    expect(proof).toMatchObject({ nonce: 2, balance: 10n ** 18n });
  });

  test('a revert is viem’s ExecutionRevertedError', async () => {
    const error = await rejection(connect().estimateGas({ account, to: account }));
    const walked = (error as { walk(test: (each: unknown) => boolean): unknown }).walk(
      (each) => each instanceof ExecutionRevertedError,
    );
    expect(walked).toBeInstanceOf(ExecutionRevertedError);
    expect(String(error)).toContain('boom');
  });
});

describe('as an ethers Eip1193Provider', () => {
  test('the client answers ethers’ calls', async () => {
    const provider = new BrowserProvider(client);
    expect(await provider.getBlockNumber()).toBe(16);
    expect((await provider.getNetwork()).chainId).toBe(31_337n);
    provider.destroy();
  });

  test('a revert is ethers’ CALL_EXCEPTION with its reason', async () => {
    const provider = new BrowserProvider(client);
    const error = await rejection(provider.estimateGas({ to: account }));
    expect(error).toMatchObject({ code: 'CALL_EXCEPTION', reason: 'boom', data: revertData });
    provider.destroy();
  });
});
