import { afterAll, expect, test } from 'vitest';
import { createTextReader } from '../../generator/files/text.ts';
import { loadDocument } from '../../generator/document.ts';
import { readContract } from '../../generator/verify/contract.ts';
import { verify } from '../../generator/verify/run.ts';
import { startProduct } from '../support/product.ts';

/** The phases before `boundary`, and a start of it: the whole run takes minutes on a busy machine. */
const MAX_CALLS = 800;
const TIMEOUT_MS = 30_000;

// The calls of other tests would count into the usage that verify compares with its own calls.
const { product, stop } = await startProduct();
afterAll(stop);

const { model } = await loadDocument('openrpc.json', createTextReader());

test.each(['evm', 'solana', 'archive'] as const)(
  'verify finds no disagreement between the document and the network %s, over both transports',
  async (network) => {
    const { http, ws } = product.networks[network];
    const contract = readContract(model, { writes: false, network });
    const { groups, coverage, phases } = await verify(contract, {
      http: { url: http },
      webSocket: { url: ws },
      maxCalls: MAX_CALLS,
      timeout_ms: TIMEOUT_MS,
      seed: 'specgate',
    });
    const failures = groups.map(
      ({ failure: { check, message, probe } }) =>
        `${probe.method?.name ?? 'JSON-RPC'} ${check}: ${message} (${probe.title})`,
    );
    expect(failures).toEqual([]);
    expect(phases.map(({ id }) => id)).toContain('boundary');
    expect(coverage.find(({ kind }) => kind === 'method')!.holes).toEqual([]);
  },
);
