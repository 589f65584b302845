import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { startLoad, type Load } from '../support/load.ts';
import { removeFolder, serve, type ServeOptions, type Serving } from '../support/serve.ts';
import { startFakeNode, type FakeNode } from '../upstream/fake-node.ts';
import { atHeight } from '../upstream/probe-answer.ts';

export const KEY = 'sg-key-of-the-tests-0123456789';
/** Of one call of the load. */
export const CALL_CREDITS = 80;
/** Above the number of every call, which is a block number to the gateway. */
const HEIGHT = 1_000_000_000;

/** A node that answers calls with its name, one after `delay_ms`, the next after twice as long. */
export function startNamedNode(name: string, delay_ms = 10): Promise<FakeNode> {
  let calls = 0;
  return startNodeThatWaits(name, () => wait(delay_ms * (1 + ((calls += 1) % 2))));
}

/** A node that answers calls with its name once `until` resolves. */
export async function startNodeThatWaits(
  name: string,
  until: () => Promise<unknown>,
): Promise<FakeNode> {
  const node = await startFakeNode(async ({ method, params }) => {
    const isProbe = method !== 'eth_getBlockByNumber' || /^[lf]/.test(String(params[0]));
    if (!isProbe) await until();
    return JSON.stringify(name);
  });
  node.answerProbes(atHeight(HEIGHT));
  return node;
}

/** A configuration with one network before `node`. */
export function configBefore(node: FakeNode, port: number, overrides: object = {}): object {
  return {
    networks: [
      {
        name: 'evm',
        family: 'evm',
        listen: { port },
        identity: 31337,
        upstreams: [{ url: node.url.href }],
        // The nodes of these tests count the calls they answer.
        cache: false,
        sharedCalls: false,
      },
    ],
    accounts: [
      {
        id: 'acme',
        plan: 'custom',
        creditsPerDay: 1_000_000_000,
        callsPerSecond: 1_000_000,
        keys: [{ key: KEY }],
      },
    ],
    log: 'info',
    ...overrides,
  };
}

/** `specgate serve` for the length of a test. */
export async function serveForTest(config: object, options?: ServeOptions): Promise<Serving> {
  const serving = await serve(config, options);
  onTestFinished(async () => {
    await serving.stop();
    removeFolder(serving.folder);
  });
  return serving;
}

export async function loadOn({ base }: Serving, http = 16, sockets = 4): Promise<Load> {
  const load = await startLoad({ base, key: KEY, http, sockets, perSocket: 8 });
  onTestFinished(() => load.stop());
  return load;
}

/** Waits until the load has been answered `calls` more times. */
export async function answeredMore({ answered }: Load, calls: number): Promise<void> {
  const enough = answered.size + calls;
  await expect.poll(() => answered.size, { interval: 5 }).toBeGreaterThanOrEqual(enough);
}

/** Numbers of the calls a node was asked for. */
export function servedBy({ requests }: FakeNode): number[] {
  return requests.map(({ params }) => Number(params[0]));
}

/** What the account has used today, once no credits are leased any more. */
export async function creditsAtRest({
  folder,
}: Serving): Promise<{ readonly spent: number; readonly lost: number }> {
  const store = await openStore(`${folder}/store.sqlite`);
  try {
    // Credits of a lease are neither spent nor lost until it has ended.
    await expect.poll(async () => (await store.readToday({ accountId: 'acme' })).leased).toBe(0);
    const { spent, lost } = await store.readToday({ accountId: 'acme' });
    return { spent, lost };
  } finally {
    await store.close();
  }
}
