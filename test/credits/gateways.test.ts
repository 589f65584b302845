import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reportUsage } from '../../src/admin/usage.ts';
import { hashKey } from '../../src/auth/hash-key.ts';
import type { UsageRow } from '../../src/store/records.ts';
import { bothEngines, openTestStore, temporaryFolder } from '../store/support.ts';
import { leasesEnded } from './leases-ended.ts';
import { awayFromMidnight } from './midnight.ts';
import { startFakeNode, type FakeNode } from '../upstream/fake-node.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const READY_MS = 90_000;
const TTL_MS = 1_000;
const CREDITS_PER_DAY = 1_000_000;
const HASH = `0x${'ab'.repeat(32)}`;

/** What is called, with its cost in the document. */
const calls = [
  { method: 'eth_getTransactionByHash', params: [HASH], cost: 80 },
  { method: 'eth_getTransactionByBlockHashAndIndex', params: [HASH, '0x0'], cost: 150 },
];

interface Gateway {
  readonly process: ChildProcess;
  readonly node: FakeNode;
  readonly url: string;
  readonly keyHash: string;
}

/** `specgate serve` on a store that others use too, before a node and with a key of its own. */
async function startGateway(store: string, name: string): Promise<Gateway> {
  const node = await startFakeNode(() => 'null');
  const key = `key-of-${name}`;
  const account = { id: 'acme', plan: 'custom', creditsPerDay: CREDITS_PER_DAY };
  const config = {
    store,
    ops: { port: 0 },
    log: 'warn',
    // On a busy machine a call may wait long for the store, but must not be refused.
    limits: { lease_ttl_ms: TTL_MS, store_wait_ms: 100_000 },
    accounts: [{ ...account, callsPerSecond: 1_000_000, keys: [{ key }] }],
    networks: [
      {
        name,
        family: 'evm',
        listen: { port: 0 },
        upstreams: [{ url: node.url.href }],
        // The nodes count the calls they answer.
        cache: false,
        sharedCalls: false,
      },
    ],
  };
  const file = join(await temporaryFolder(), 'specgate.json');
  await writeFile(file, JSON.stringify(config));
  const args = ['bin/specgate.js', 'serve', '--config', file, '--format', 'json'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const signal = AbortSignal.timeout(READY_MS);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line', { signal })) as [
    string,
  ];
  const { networks } = JSON.parse(line) as { networks: [{ http: string }] };
  return { process: child, node, url: `${networks[0].http}/v3/${key}`, keyHash: hashKey(key) };
}

/** Calls in batches until stopped; resolves to how many were refused because of missing credits. */
async function callUntil(gateway: Gateway, isOver: () => boolean): Promise<number> {
  let refused = 0;
  while (!isOver()) {
    const batch = Array.from({ length: 50 }, (_, id) => {
      const { method, params } = calls[id % calls.length]!;
      return { jsonrpc: '2.0', id, method, params };
    });
    const answers = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    }).then(
      (response) => response.json() as Promise<{ error?: { code: number } }[]>,
      () => undefined,
    );
    // A killed process answers no more.
    if (answers === undefined) return refused;
    for (const { error } of answers) {
      expect([undefined, 402]).toContain(error?.code);
      if (error !== undefined) refused += 1;
    }
  }
  return refused;
}

function served({ node }: Gateway): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method } of node.requests) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}

function creditsServed(gateway: Gateway): number {
  const counts = served(gateway);
  return calls.reduce((sum, { method, cost }) => sum + (counts[method] ?? 0) * cost, 0);
}

function callsByMethod(rows: readonly UsageRow[]): Record<string, number> {
  return Object.fromEntries(rows.map((row) => [row.method, row.calls]));
}

describe.each(bothEngines())('three gateways on one $name', (engine) => {
  it('charge what their nodes served; a killed one loses at most what it held', async () => {
    await awayFromMidnight();
    const address = await engine.address();
    const [first, killed, last] = await Promise.all(
      ['first', 'killed', 'last'].map((name) => startGateway(address, name)),
    );
    const all = [first!, killed!, last!];
    let isOver = false;
    const calling = all.map((gateway) => callUntil(gateway, () => isOver));
    await expect.poll(() => served(killed!)[calls[0]!.method] ?? 0).toBeGreaterThan(300);
    killed!.process.kill('SIGKILL');
    const survivor = served(last!)[calls[0]!.method] ?? 0;
    await expect.poll(() => served(last!)[calls[0]!.method] ?? 0).toBeGreaterThan(survivor + 100);
    isOver = true;
    await Promise.all(calling);
    for (const { process: child } of [first!, last!]) {
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(READY_MS) });
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
    const store = await openTestStore(address);
    await leasesEnded(store);
    const { keys } = await store.readChanges(0);
    expect(keys).toHaveLength(3);
    const { days, rows } = await reportUsage(store, {
      accountId: 'acme',
      from: undefined,
      to: undefined,
    });
    const { spent, lost, leased } = days[0]!;
    expect(leased).toBe(0);
    expect(spent + lost).toBeLessThanOrEqual(CREDITS_PER_DAY);
    expect(all.reduce((sum, gateway) => sum + creditsServed(gateway), 0)).toBeLessThanOrEqual(
      spent + lost,
    );
    expect(lost).toBeGreaterThan(0);
    const ofGateway = (gateway: Gateway): readonly UsageRow[] => {
      const key = keys.find(({ hash }) => hash === gateway.keyHash);
      return rows.filter(({ keyId }) => keyId === key!.id);
    };
    for (const gateway of [first!, last!]) {
      expect(callsByMethod(ofGateway(gateway))).toEqual(served(gateway));
      expect(creditsServed(gateway)).toBeGreaterThan(100 * 80);
    }
    const reported = ofGateway(killed!).reduce((sum, { credits }) => sum + credits, 0);
    expect(creditsServed(killed!)).toBeLessThanOrEqual(reported + lost);
  });
});
