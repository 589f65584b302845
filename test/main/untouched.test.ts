import { describe, expect, it } from 'vitest';
import { protocol } from '../../src/main/dependencies.ts';
import { startFakeNode, type FakeNode } from '../upstream/fake-node.ts';
import { atHeight } from '../upstream/probe-answer.ts';
import { startFakeSocketNode } from '../upstream/fake-socket-node.ts';
import { resultOf } from '../upstream/stream-support.ts';
import { connect } from '../transport/support.ts';
import { configFor, KEY, start, type TestGateway, withoutCache } from './support.ts';

const quiet = { probe_interval_ms: 60_000, probe_ms: 5_000 };

function blockCall(id: string, block: number): string {
  const params = JSON.stringify([`0x${block.toString(16)}`, false]);
  return `{"jsonrpc":"2.0","method":"eth_getBlockByNumber","params":${params},"id" : ${id} }`;
}

async function post(gateway: TestGateway, body: string): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(gateway.rpcUrl, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

describe('a result', () => {
  // Odd white space, integers no double holds, escapes, members named twice: about as odd as JSON is.
  const odd = '{\t"a" : 18446744073709551615,\r\n "a":1.0e+0 , "\\u0062\\/":[ ] ,"é𝄞":-0.0}';
  const oddIds = ['"\\u0069d"', '1.0', '-0', '18446744073709551616', '9e999', 'null'];

  it.each([
    ['small', odd, oddIds],
    ['large', resultOf(1_500_000), oddIds.slice(0, 2)],
  ])(
    'that is %s leaves byte for byte, as does the id, on every way there is',
    async (_size, result, ids) => {
      const overHttp = await startFakeNode(() => result);
      const overSocket = await startFakeSocketNode();
      overSocket.behave(({ id }, socket) => {
        socket.send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
        return undefined;
      });
      for (const url of [overHttp.url, overSocket.url]) {
        const gateway = await start(await configFor([url], { limits: quiet }), { protocol });
        const client = await connect(gateway.wsUrl);
        const messages: string[] = [];
        client.socket.on('message', (data) => messages.push(String(data)));
        const answers = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
        for (const [index, id] of ids.entries()) {
          expect(await post(gateway, blockCall(id, 1))).toEqual({
            status: 200,
            text: answers[index],
          });
          client.socket.send(blockCall(id, 1));
          await client.next();
        }
        const batch = `[${ids.map((id) => blockCall(id, 1)).join(',\n')}]`;
        expect((await post(gateway, batch)).text).toBe(`[${answers.join(',')}]`);
        expect(messages).toEqual(answers);
      }
    },
  );
});

describe('an upstream that lags behind', () => {
  /** Knows blocks up to its height, and answers null for what is above. */
  async function nodeAt(height: number): Promise<FakeNode> {
    const node = await startFakeNode(({ params }) =>
      Number(params[0]) > height ? 'null' : `{"from":${height}}`,
    );
    node.answerProbes(atHeight(height));
    return node;
  }

  it('never has its null returned to a caller: alone, in a batch, or when the other upstream is gone', async () => {
    const [behind, ahead] = [await nodeAt(90), await nodeAt(100)];
    const fast = { plan: 'custom', creditsPerDay: 1_000_000, callsPerSecond: 1_000 };
    const accounts = [{ id: 'acme', ...fast, keys: [{ key: KEY, allow: {} }] }];
    const config = await configFor([behind.url, ahead.url], { accounts, limits: quiet });
    const gateway = await start(withoutCache(config), { protocol });
    const batch = `[${Array.from({ length: 20 }, (_, id) => blockCall(String(id), 81 + id)).join(',')}]`;
    for (let round = 0; round < 5; round += 1) {
      expect(JSON.parse((await post(gateway, blockCall('1', 95))).text)).toMatchObject({
        result: { from: 100 },
      });
      const answers = JSON.parse((await post(gateway, batch)).text) as { result: unknown }[];
      expect(answers).toHaveLength(20);
      expect(answers.slice(10).map(({ result }) => result)).toEqual(
        Array.from({ length: 10 }, () => ({ from: 100 })),
      );
    }
    ahead.behave((_request, response) => void response.destroy());
    const { status, text } = await post(gateway, blockCall('1', 95));
    expect(status).toBe(503);
    expect(text).not.toContain('null');
    expect(JSON.parse((await post(gateway, blockCall('1', 90))).text)).toMatchObject({
      result: { from: 90 },
    });
  });
});
