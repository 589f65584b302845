import { createServer } from 'node:net';
import { once } from 'node:events';
import { createClient } from '@redis/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/time/clock.ts';
import { startTimer, type StartTimer } from '../../src/time/timer.ts';
import { openCacheServer, type CacheServer } from '../../src/upstream/cache-server.ts';
import { freePort } from '../support/free-port.ts';
import { hasRedis, startRedis } from '../support/redis.ts';

const CALL = 'eth_getBlockByNumber ["0x1",false]';
const RESULT = Buffer.from('{"number":"0x1"}');

interface Rig {
  readonly server: CacheServer;
  /** What was reported, in order. */
  readonly states: string[];
  /** Waits for the next report that matches. */
  becomes(state: RegExp): Promise<void>;
}

const NEVER: StartTimer = () => () => {};

/** Lookups take as long as they need, unless `timer` is that of the system. */
function open(url: string, chain = 'mainnet:1', timer = NEVER): Rig {
  const states: string[] = [];
  const server = openCacheServer({
    url,
    chain,
    limits: { response_depth: 64 },
    clock: systemClock,
    startTimer: timer,
    observe(event) {
      if (event.kind === 'cacheServer') states.push(event.isAvailable ? 'available' : event.detail);
    },
  });
  onTestFinished(() => server.close());
  return {
    server,
    states,
    becomes: (state) => expect.poll(() => states.at(-1), { timeout: 20_000 }).toMatch(state),
  };
}

async function opened(url: string, chain?: string, timer?: StartTimer): Promise<Rig> {
  const rig = open(url, chain, timer);
  await rig.becomes(/^available$/);
  return rig;
}

async function write(url: string, value: string): Promise<void> {
  const client = await createClient({ url }).connect();
  for (const key of await client.keys('specgate:*:0:*')) await client.set(key, value);
  client.destroy();
}

describe.skipIf(!hasRedis)('a cache server that several gateways ask', () => {
  it('knows what another gateway has set, for the same chain', async () => {
    const { url } = await startRedis();
    const first = await opened(url);
    const second = await opened(url);
    const other = await opened(url, 'testnet:2');
    expect(await second.server.get(CALL)).toBeUndefined();
    first.server.set(CALL, RESULT);
    await expect.poll(() => second.server.get(CALL)).toEqual(RESULT);
    expect(await other.server.get(CALL)).toBeUndefined();
    expect(await second.server.get(`${CALL} `)).toBeUndefined();
  });

  it('knows nothing from before one of the gateways cleared it', async () => {
    const { url } = await startRedis();
    const first = await opened(url);
    const second = await opened(url);
    first.server.set(CALL, RESULT);
    await expect.poll(() => second.server.get(CALL)).toEqual(RESULT);
    first.server.clear();
    expect(await first.server.get(CALL)).toBeUndefined();
    // The second gateway has not heard of it, and its result is of the chain of before.
    second.server.set(CALL, RESULT);
    expect(await second.server.get(CALL)).toBeUndefined();
    expect(await first.server.get(CALL)).toBeUndefined();
    second.server.set(CALL, RESULT);
    await expect.poll(() => first.server.get(CALL)).toEqual(RESULT);
  });

  it('ignores what is not JSON, is too deep or too long', async () => {
    const { url } = await startRedis();
    const { server } = await opened(url);
    server.set(CALL, RESULT);
    await expect.poll(() => server.get(CALL)).toEqual(RESULT);
    for (const value of [
      '',
      '{"a":1}}',
      '\xff',
      '['.repeat(65) + ']'.repeat(65),
      '1'.repeat(70_000),
    ]) {
      await write(url, value);
      expect(await server.get(CALL)).toBeUndefined();
    }
  });

  it('lets calls pass when the server stands still, and asks again when it responds', async () => {
    const { url, pid } = await startRedis();
    const { server, becomes, states } = await opened(url, undefined, startTimer);
    server.set(CALL, RESULT);
    await expect.poll(() => server.get(CALL), { timeout: 20_000 }).toEqual(RESULT);
    process.kill(pid, 'SIGSTOP');
    expect(await server.get(CALL)).toBeNull();
    expect(states.at(-1)).toBe('no response within 50 ms');
    process.kill(pid, 'SIGCONT');
    await expect.poll(() => server.get(CALL), { timeout: 20_000 }).toEqual(RESULT);
    await becomes(/^available$/);
  });

  it('lets calls pass when the server ends, and asks a new one', async () => {
    const redis = await startRedis();
    const { server, becomes } = await opened(redis.url);
    await redis.stop();
    await becomes(/closed|refused/i);
    expect(await server.get(CALL)).toBeNull();
    server.set(CALL, RESULT);
    await startRedis(Number(new URL(redis.url).port));
    await becomes(/^available$/);
    await expect.poll(() => server.get(CALL), { timeout: 20_000 }).toBeUndefined();
  });
});

it('lets calls pass without a server, and says why', async () => {
  const { server, becomes } = open(`redis://user:secret@127.0.0.1:${await freePort()}`);
  expect(await server.get(CALL)).toBeNull();
  server.set(CALL, RESULT);
  await becomes(/ECONNREFUSED/);
});

it('disconnects from a server that accepts connections and never responds', async () => {
  const silent = createServer((socket) => socket.on('error', () => socket.destroy()).resume());
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const { server } = open(`redis://127.0.0.1:${port}`);
  await once(silent, 'connection');
  expect(await server.get(CALL)).toBeNull();
  const gone = new Promise((resolve) => silent.close(resolve));
  server.close();
  await gone;
});
