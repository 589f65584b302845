import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';
import { freePort } from '../support/free-port.ts';
import { hasProgram } from '../support/programs.ts';
import { createDatabase } from '../support/shared-postgres.ts';
import { removeFolder, serve, type Serving } from '../support/serve.ts';
import { eventually } from '../transport/eventually.ts';
import { startNginx, type Nginx } from './nginx-process.ts';

const KEY = 'sg-topsecret0123456789';
/** Of an account that is used for one test only. */
const OTHER_KEY = 'sg-othersecret9876543210';
const PASSWORD = 'postgres-password-0123';
const HOST = 'evm.localhost';
const COST = 80;
const CALLERS = 8;
const isHere = hasProgram('nginx', 'two gateways behind nginx', '-v');

interface Reply {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
}

let node: DevnetNode;
let store: string;
let gateways: [Serving, Serving];
let nginx: Nginx;

/** A gateway on a port of its own choice, as one that is started again has to have the same. */
function startServing(port: number): Promise<Serving> {
  const listen = { port };
  const upstreams = [{ url: node.httpUrl }];
  return serve({
    store,
    networks: [{ name: 'evm', family: 'evm', listen, upstreams }],
    accounts: [KEY, OTHER_KEY].map((key, index) => ({
      id: `account-${index}`,
      plan: 'custom',
      creditsPerDay: 100_000_000,
      callsPerSecond: 100_000,
      keys: [{ key }],
    })),
    log: 'debug',
  });
}

const portOf = ({ base }: Serving): number => Number(new URL(base).port);

const call = (id: number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_getBlockByNumber', params: ['0x1', false] });

async function send(path: string, body = '', agent?: Agent): Promise<Reply> {
  const asked = request({
    port: nginx.port,
    path,
    method: body === '' ? 'GET' : 'POST',
    headers: { host: HOST, 'content-type': 'application/json' },
    agent: agent ?? false,
  });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return {
    status: response.statusCode!,
    requestId: String(response.headers['x-request-id']),
    text: await text(response),
  };
}

/** Starts callers that call without pause, each over its own connection, until stopped. */
function callOn(key: string): { readonly replies: Reply[]; stop(): Promise<Reply[]> } {
  const replies: Reply[] = [];
  const over = new AbortController();
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!over.signal.aborted)
      replies.push(await send(`/v3/${key}`, call(replies.length), agent));
  });
  return {
    replies,
    async stop() {
      over.abort();
      await Promise.all(callers);
      agent.destroy();
      return replies;
    },
  };
}

/** Returns which gateways have answered: request ids begin with the id of the instance. */
const instancesOf = (replies: readonly Reply[]): Set<string> =>
  new Set(replies.map(({ requestId }) => requestId.split('-')[0]!));

async function used(key: string): Promise<number> {
  return (JSON.parse((await send(`/v3/${key}/usage`)).text) as { used: number }).used;
}

describe.skipIf(!isHere)('two real gateways on one PostgreSQL, behind nginx', () => {
  beforeAll(async () => {
    node = await startEvmNode();
    const database = new URL(await createDatabase());
    database.password = PASSWORD;
    store = database.href;
    // One after the other: the first one makes the tables.
    gateways = [await startServing(await freePort()), await startServing(await freePort())];
    nginx = await startNginx([portOf(gateways[0]), portOf(gateways[1])]);
  });
  afterAll(async () => {
    await nginx?.stop();
    await Promise.all((gateways ?? []).map((gateway) => gateway.stop()));
    for (const { folder } of gateways ?? []) removeFolder(folder);
    await node?.stop();
  });

  it('both answer, each call once, and share one account', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, id) => send(`/v3/${KEY}`, call(id))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    for (const [id, reply] of replies.entries())
      expect(JSON.parse(reply.text)).toMatchObject({ id });
    expect(instancesOf(replies).size).toBe(2);
    const refused = await send(`/v3/${KEY}x`, call(1));
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      401,
      { error: { data: { reason: 'key_unknown', requestId: refused.requestId } } },
    ]);
  });

  it('serve WebSockets through nginx, refused upgrades included', async () => {
    const open = (key: string): WebSocket =>
      new WebSocket(`ws://127.0.0.1:${nginx.port}/ws/v3/${key}`, { headers: { host: HOST } });
    const socket = open(KEY);
    await once(socket, 'open');
    socket.send(call(7));
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(String(message))).toMatchObject({ id: 7, result: { number: '0x1' } });
    socket.close();
    await once(socket, 'close');
    const refused = open(`${KEY}x`);
    refused.on('error', () => undefined);
    const [, response] = (await once(refused, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(401);
    refused.terminate();
  });

  it('of which one is killed still answer every call', async () => {
    const calling = callOn(KEY);
    await eventually(() => calling.replies.length).toBeGreaterThan(200);
    const [killed] = gateways;
    process.kill(killed.pid, 'SIGKILL');
    const before = calling.replies.length;
    await eventually(() => calling.replies.length).toBeGreaterThan(before + 200);
    const replies = await calling.stop();
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(instancesOf(replies.slice(before + CALLERS)).size).toBe(1);
    removeFolder(killed.folder);
    gateways[0] = await startServing(portOf(killed));
    const seen = new Set<string>();
    await eventually(async () => {
      seen.add((await send(`/v3/${KEY}`, call(1))).requestId.split('-')[0]!);
      return seen.size;
    }).toBe(2);
  });

  it('of which one is drained lose no call, and charge each exactly once', async () => {
    const calling = callOn(OTHER_KEY);
    await eventually(() => calling.replies.length).toBeGreaterThan(200);
    const exitCode = await gateways[1].stop();
    const drained = calling.replies.length;
    await eventually(() => calling.replies.length).toBeGreaterThan(drained + 200);
    const replies = await calling.stop();
    expect(exitCode).toBe(0);
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(instancesOf(replies).size).toBe(2);
    expect(instancesOf(replies.slice(drained)).size).toBe(1);
    expect(await used(OTHER_KEY)).toBe(replies.length * COST);
  });

  it('show no key in the logs of nginx or their own, and no secret in the list of processes', () => {
    const { access, error } = nginx.logs();
    expect(access.split('\n').length).toBeGreaterThan(400);
    expect(access).toContain('"path":"/ws/v3/***","status":101');
    const listed = ['cmdline', 'comm'].map((name) => {
      return readFileSync(`/proc/${gateways[0].pid}/${name}`, 'utf8');
    });
    const logs = gateways.map((gateway) => gateway.log());
    expect(logs.join('')).toContain('"msg":"call"');
    for (const log of [access, error, ...listed, ...logs]) {
      for (const secret of [KEY, OTHER_KEY, PASSWORD]) expect(log).not.toContain(secret);
    }
  });
});
