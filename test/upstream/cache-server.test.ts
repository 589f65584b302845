import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/time/clock.ts';
import { startTimer, type StartTimer } from '../../src/time/timer.ts';
import { openCacheServer, type CacheServer } from '../../src/upstream/cache-server.ts';
import { RedisClient } from '../../src/upstream/redis/redis-client.ts';
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

/** Opens it and lets it read the epoch. */
async function opened(url: string, chain?: string, timer?: StartTimer): Promise<Rig> {
  const rig = open(url, chain, timer);
  await rig.becomes(/^available$/);
  await expect.poll(() => rig.server.get('')).toBeUndefined();
  return rig;
}

/** Opens a connection of its own. */
async function connect(url: string): Promise<RedisClient> {
  const ready = Promise.withResolvers<void>();
  const client = new RedisClient({ url, onReady: ready.resolve, onLost: ready.reject });
  onTestFinished(() => client.close());
  await ready.promise;
  return client;
}

async function write(url: string, value: string): Promise<void> {
  const client = await connect(url);
  const keys = (await client.send(['KEYS', 'specgate:*:*:*'])) as readonly Buffer[];
  for (const key of keys) await client.send(['SET', key, value]);
}

/**
 * A server whose epoch is 0; it responds to its first lookup with that, and to all commands but
 * lookups with `+OK`. `connections` are those it has had.
 */
async function startScripted(onLookup: (socket: Socket) => void) {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    let hasEpoch = connections.length > 1;
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      // The gateway sends each command in one write.
      for (const command of chunk.toString('latin1').split(/^\*/m).slice(1)) {
        if (!command.includes('MGET')) socket.write('+OK\r\n');
        else if (hasEpoch) onLookup(socket);
        else hasEpoch = socket.write('*2\r\n$1\r\n0\r\n$-1\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of connections) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return { url: `redis://127.0.0.1:${port}`, connections };
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

  it('knows nothing from before the server lost its epoch', async () => {
    const { url } = await startRedis();
    const first = await opened(url);
    first.server.set(CALL, RESULT);
    await expect.poll(() => first.server.get(CALL)).toEqual(RESULT);
    const client = await connect(url);
    await client.send(['DEL', 'specgate:mainnet:1']);
    const second = await opened(url);
    expect(await second.server.get(CALL)).toBeUndefined();
    expect(await first.server.get(CALL)).toBeUndefined();
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

describe('a cache server that breaks the protocol', () => {
  it.each([
    ['a reply of an unknown type', '?2\r\n$1\r\n0\r\n$-1\r\n'],
    ['a reply too many', '*2\r\n$-1\r\n$-1\r\n+OK\r\n'],
    ['a reply above the size limit', `*2\r\n$1\r\n0\r\n$1000000000\r\n`],
    ['an array above the size limit', '*100000000\r\n'],
    ['an endless line', `+${'x'.repeat(2_000)}`],
    ['nested arrays', '*1\r\n*1\r\n'],
    ['a value longer than it says', '*2\r\n$1\r\n00\r\n$-1\r\n'],
  ])('is left, and later results are those of their calls: %s', async (_, first) => {
    let lookups = 0;
    const { url, connections } = await startScripted((socket) => {
      lookups += 1;
      socket.write(lookups === 1 ? first : `*2\r\n$1\r\n0\r\n$1\r\n${lookups}\r\n`);
    });
    const { server, becomes } = await opened(url);
    void server.get(CALL);
    await expect.poll(() => connections.length, { timeout: 20_000 }).toBe(2);
    expect(connections[0]!.destroyed).toBe(true);
    await becomes(/^available$/);
    await expect.poll(() => server.get(CALL), { timeout: 20_000 }).toEqual(Buffer.from('2'));
  });

  it('is understood however its replies are cut', async () => {
    const reply = Buffer.from('*2\r\n$1\r\n0\r\n$16\r\n{"number":"0x1"}\r\n');
    const { url } = await startScripted((socket) => {
      socket.setNoDelay(true);
      let at = 0;
      const next = (): void => {
        if (at < reply.length)
          socket.write(reply.subarray(at, (at += 1)), () => setImmediate(next));
      };
      next();
    });
    const { server } = await opened(url);
    expect(await server.get(CALL)).toEqual(RESULT);
  });
});

it.skipIf(!hasRedis)('signs in with the credentials of the URL and uses its database', async () => {
  const { url } = await startRedis();
  const admin = await connect(url);
  await admin.send(['ACL', 'SETUSER', 'gateway', 'on', '>p@ss', '~*', '+@all']);
  const signedIn = await connect(`${url.replace('//', '//gateway:p%40ss@')}/3`);
  expect(String(await signedIn.send(['ACL', 'WHOAMI']))).toBe('gateway');
  await signedIn.send(['SET', 'a', '1']);
  expect(await admin.send(['GET', 'a'])).toBeNull();
  await expect(connect(url.replace('//', '//gateway:wrong@'))).rejects.toThrow('WRONGPASS');
});

it('does not report the password that a server without AUTH repeats', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    // What Redis writes about a command that it does not know.
    const words = 'with args beginning with: `gateway`, `a-secret-password`, ';
    socket.on('data', () => socket.write(`-ERR unknown command \`AUTH\`, ${words}\r\n`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const { states, becomes } = open(`redis://gateway:a-secret-password@127.0.0.1:${port}`);
  await becomes(/AUTH \(ERR\)/);
  expect(states.join()).not.toContain('secret');
});

it('signs in with a password that has a percent sign of its own', async () => {
  const sent = Promise.withResolvers<string>();
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      sent.resolve(bytes.toString());
      socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  open(`redis://gateway:100%zz@127.0.0.1:${port}`);
  expect(await sent.promise).toContain('100%zz');
});
