import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { generateSecret, hashKey } from '../../src/auth/hash-key.ts';
import { account, keyRecord } from '../store/support.ts';
import { call, connect, request, serveNetwork, type HttpReply } from './support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the id of a request', () => {
  it('is in the header of every answer over HTTP, and in the data of every error', async () => {
    const { httpUrl, refusals } = await serveNetwork();
    const rpc = `${httpUrl}/v3/demo`;
    const answers: Record<string, HttpReply> = {
      result: await request(rpc, { body: call() }),
      notification: await request(rpc, { body: '{"jsonrpc":"2.0","method":"eth_getBlock"}' }),
      unknownMethod: await request(rpc, { body: '{"jsonrpc":"2.0","id":1,"method":"x"}' }),
      parseError: await request(rpc, { body: '{' }),
      unauthorized: await request(`${rpc}x`, { body: call() }),
      unknownPath: await request(`${httpUrl}/nowhere`, { body: call() }),
      wrongMethod: await request(rpc, { method: 'DELETE' }),
      wrongType: await request(rpc, { body: call(), headers: { 'content-type': 'text/plain' } }),
      tooLarge: await request(rpc, { body: ' '.repeat(1_048_577) }),
      usage: await request(`${rpc}/usage`, { method: 'GET' }),
      document: await request(`${httpUrl}/v3/openrpc.json`, { method: 'GET' }),
      preflight: await request(rpc, { method: 'OPTIONS' }),
    };
    const ids = Object.values(answers).map(({ headers }) => headers.get('x-request-id'));
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^t-\w+$/)));
    expect(new Set(ids).size).toBe(ids.length);
    const failed = Object.values(answers).filter(({ error }) => error !== undefined);
    expect(failed).toHaveLength(7);
    for (const { error, headers } of failed) {
      expect(error!.data['requestId']).toBe(headers.get('x-request-id'));
    }
    const reported = new Set(refusals.map(({ requestId }) => requestId));
    for (const name of ['unauthorized', 'unknownPath', 'wrongMethod', 'wrongType', 'tooLarge']) {
      expect(reported).toContain(answers[name]!.headers.get('x-request-id'));
    }
  });

  it('is the same for every error of a batch', async () => {
    const { httpUrl } = await serveNetwork();
    const { body, headers } = await request(`${httpUrl}/v3/demo`, { body: `[${call()},{},1]` });
    const errors = (body as HttpReply[]).slice(1).map(({ error }) => error!.data['requestId']);
    expect(errors).toEqual([headers.get('x-request-id'), headers.get('x-request-id')]);
  });

  it('is in the answer to invalid HTTP', async () => {
    const { listener, refusals } = await serveNetwork();
    const socket = connectTcp(listener.port, '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    const answer = await text(socket);
    const [, id] = /^x-request-id: (\S+)\r$/m.exec(answer)!;
    expect(answer).toContain(`"requestId":"${id}"`);
    expect(refusals).toEqual([{ reason: 'http_malformed', requestId: id }]);
  });

  it('is in a refused upgrade, and prefixes the ids of messages on an open socket', async () => {
    const { wsUrl, refusals } = await serveNetwork();
    const refused = new WebSocket(`${wsUrl}/ws/v3/wrong-key-unknown`, {
      headers: { 'x-request-id': 'mine-1' },
    });
    refused.on('error', () => undefined);
    const [, response] = (await once(refused, 'unexpected-response')) as [
      unknown,
      NodeJS.ReadableStream & { statusCode: number; headers: Record<string, string> },
    ];
    const requestId = response.headers['x-request-id']!;
    expect([response.statusCode, requestId]).toEqual([401, expect.stringMatching(/^t-\w+$/)]);
    expect(await text(response)).toContain(`"requestId":"${requestId}"`);
    expect(refusals).toEqual([{ reason: 'key_unknown', requestId }]);

    const client = await connect(`${wsUrl}/ws/v3/demo`, { 'x-request-id': 'mine-2' });
    for (const id of [1, 2]) {
      client.socket.send('{');
      expect(await client.next()).toMatchObject({ error: { data: { requestId: `mine-2.${id}` } } });
    }
  });

  it.each(['a', 'req_7f3A:9.b-1', 'x'.repeat(64), `msg_${'0'.repeat(32)}`])(
    'may be given by the caller: %s',
    async (id) => {
      const { httpUrl } = await serveNetwork();
      const headers = { ...JSON_TYPE, 'x-request-id': id };
      const reply = await request(`${httpUrl}/v3/demo`, { body: '{', headers });
      expect(reply.headers.get('x-request-id')).toBe(id);
      expect(reply.error!.data['requestId']).toBe(id);
    },
  );

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['of other characters', 'a b'],
    ['an injection', '"}{"level":50'],
    ['no ASCII', 'é'],
    ['two', 'a, b'],
    ['the key', 'demo'],
    ['around the key', 'my-demo-1'],
    ['a generated key that is not known yet', generateSecret()],
    ['around a generated key', `a_${generateSecret()}-1`],
    ['a part of the path', '/v3/demo'],
  ])('is not the one given by the caller when that is %s', async (_what, id) => {
    const { httpUrl } = await serveNetwork();
    const headers = { ...JSON_TYPE, 'x-request-id': id };
    const reply = await request(`${httpUrl}/v3/demo`, { body: '{', headers });
    expect(reply.headers.get('x-request-id')).toMatch(/^t-\w+$/);
  });

  it.each([
    [1_024, 'mine-1'],
    [1_025, expect.stringMatching(/^t-\w+$/) as string],
  ])('may be given by the caller with a path and query of %i characters', async (length, id) => {
    const { httpUrl } = await serveNetwork();
    const headers = { ...JSON_TYPE, 'x-request-id': 'mine-1' };
    const path = '/v3/demo?'.padEnd(length, 'abcd&');
    const reply = await request(`${httpUrl}${path}`, { body: '{', headers });
    expect(reply.headers.get('x-request-id')).toEqual(id);
  });

  it('never contains a part of a key, whatever the path', async () => {
    const { httpUrl } = await serveNetwork();
    const headers = { ...JSON_TYPE, 'x-request-id': 'key-0123456789' };
    for (const path of ['/v3/sg-key-0123456789', '/V3/key-0123456789?x', '/v3?k=key-0123456789x']) {
      const reply = await request(`${httpUrl}${path}`, { body: call(), headers });
      expect(reply.headers.get('x-request-id')).toMatch(/^t-\w+$/);
    }
  });

  it('never contains a key that has few letters and digits', async () => {
    const { httpUrl } = await serveNetwork();
    const headers = { ...JSON_TYPE, 'x-request-id': 'mine:_-_-_a' };
    const reply = await request(`${httpUrl}/v3/demo?k=_-_-_a`, { body: '{', headers });
    expect(reply.headers.get('x-request-id')).toMatch(/^t-\w+$/);
  });

  it('never contains a key without its beginning, in parts or in another case', async () => {
    const key = 'sg_Ab12Cd34Ef56Gh78';
    const { httpUrl, index } = await serveNetwork();
    const keys = [keyRecord({ id: 'key-2', prefix: 'sg_Ab12', hash: hashKey(key) })];
    index.apply({ revision: 2, plans: [], accounts: [], keys });
    const idFor = async (id: string): Promise<string | null> => {
      const headers = { ...JSON_TYPE, 'x-request-id': id };
      return (await request(`${httpUrl}/v3/${key}`, { body: '{', headers })).headers.get(
        'x-request-id',
      );
    };
    const random = key.slice(3);
    const parts = [`${random.slice(0, 8)}-${random.slice(8)}`, random.match(/.{1,4}/g)!.join('.')];
    const ids = [random, `mine-${random}`, `x:${random}:1`, `a.${random.slice(4, 12)}`, ...parts];
    for (const id of [...ids, `mine-${random.toUpperCase()}`]) {
      expect(await idFor(id)).toMatch(/^t-\w+$/);
    }
    expect(await idFor(`mine-${random.slice(4, 11)}`)).toBe(`mine-${random.slice(4, 11)}`);
  });

  it('is never that of a caller without a valid key, so that it does not show which keys exist', async () => {
    const { httpUrl } = await serveNetwork({ key: { prefix: 'demo' } });
    const ids = ['mine-1', 'demo', 'demo'.repeat(5), 'nope'.repeat(5)];
    const ask = async (path: string, id: string, init: RequestInit): Promise<string | null> => {
      const headers = { ...JSON_TYPE, 'x-request-id': id };
      const { headers: answer } = await request(`${httpUrl}${path}`, { headers, ...init });
      return answer.get('x-request-id');
    };
    for (const id of ids) {
      const answers = await Promise.all([
        ask('/v3/openrpc.json', id, { method: 'GET' }),
        ask('/v3/openrpc.json', id, { method: 'HEAD' }),
        ask('/v3/wrong-key-unknown', id, { body: call() }),
        ask('/v3/wrong-key-unknown/usage', id, { method: 'GET' }),
        ask('/ws/v3/wrong-key-unknown', id, { method: 'GET' }),
        ask('/v3', id, { body: call() }),
        ask('/v3/demo', id, { method: 'OPTIONS' }),
        ask('/nowhere', id, { body: call() }),
      ]);
      expect(answers).toEqual(answers.map(() => expect.stringMatching(/^t-\w+$/)));
    }
  });

  it('does not show how the keys of another account begin', async () => {
    const { httpUrl, index } = await serveNetwork();
    const other = { id: 'other-key', accountId: 'other', prefix: 'sg_abcd' };
    const keys = [keyRecord({ ...other, hash: hashKey('sg_abcd1234') })];
    index.apply({ revision: 2, plans: [], accounts: [{ ...account, id: 'other' }], keys });
    for (const id of ['sg_abcd123', 'sg_abcd'.repeat(4)]) {
      const headers = { ...JSON_TYPE, 'x-request-id': id };
      const reply = await request(`${httpUrl}/v3/demo`, { body: '{', headers });
      expect(reply.headers.get('x-request-id')).toBe(id);
    }
  });

  it('does not contain a generated key of another account, even after a letter', async () => {
    const { httpUrl, index } = await serveNetwork();
    const key = generateSecret();
    const keys = [keyRecord({ id: 'other-key', accountId: 'other', hash: hashKey(key) })];
    index.apply({ revision: 2, plans: [], accounts: [{ ...account, id: 'other' }], keys });
    for (const id of [`x${key}`, `1${key}x`, `sg_sg_a${key}`, `a.b${key}`]) {
      const headers = { ...JSON_TYPE, 'x-request-id': id };
      const reply = await request(`${httpUrl}/v3/demo`, { body: '{', headers });
      expect(reply.headers.get('x-request-id')).toMatch(/^t-\w+$/);
    }
  });

  it('does not contain another key of the account', async () => {
    const { httpUrl, index } = await serveNetwork();
    const keys = [keyRecord({ id: 'key-2', prefix: 'sg_abcd', hash: hashKey('sg_abcd1234') })];
    index.apply({ revision: 2, plans: [], accounts: [], keys });
    for (const id of ['sg_abcd1234', 'my-sg_abcd1234-1', 'sg_abcd'.repeat(5)]) {
      const headers = { ...JSON_TYPE, 'x-request-id': id };
      const reply = await request(`${httpUrl}/v3/demo`, { body: '{', headers });
      expect(reply.headers.get('x-request-id')).toMatch(/^t-\w+$/);
    }
  });
});
