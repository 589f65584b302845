import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  byteLevel,
  CALL,
  error,
  hit,
  ids,
  malformed,
  params,
  specification,
  type Case,
} from '../support/envelope-cases.ts';
import {
  httpWire,
  post,
  webSocketWire,
  type RpcAnswer,
  type Wire,
  type WireAnswer,
} from '../support/wire.ts';

describe.each(['http', 'websocket'] as const)('JSON-RPC 2.0 over %s', (transport) => {
  let wire: Wire;
  beforeAll(async () => {
    const { evm } = inject('product').networks;
    wire = transport === 'http' ? httpWire(evm.http) : await webSocketWire(evm.ws);
  });
  afterAll(() => wire.close());

  function expectAnswer(got: WireAnswer, wanted: Case): void {
    if (transport === 'http') expect(got.status).toBe(wanted.status);
    if (wanted.answer === undefined) expect(got.text).toBeUndefined();
    else expect(got.json).toEqual(wanted.answer);
  }

  test.each(specification)('specification: $name', async (wanted) =>
    expectAnswer(await wire.send(wanted.body), wanted),
  );
  test.each(malformed)('malformed: $name', async (wanted) =>
    expectAnswer(await wire.send(wanted.body), wanted),
  );
  test.each(params)('parameters and methods: $name', async (wanted) =>
    expectAnswer(await wire.send(wanted.body), wanted),
  );

  test.each(ids)('the id %s is returned byte for byte', async (id) => {
    const { text } = await wire.send(`{"jsonrpc":"2.0","id":${id},${CALL}}`);
    expect(text).toContain(`"id":${id}`);
    expect(JSON.parse(text!)).toEqual(hit(JSON.parse(id)));
    const failed = await wire.send(`{"jsonrpc":"2.0","id":${id},"method":"nope"}`);
    expect(failed.text).toContain(`"id":${id}`);
  });

  test('a batch of 1,000 calls is served, one of 1,001 is rejected as a whole', async () => {
    const batch = (size: number): string =>
      `[${Array.from({ length: size }, (_, index) => `{"jsonrpc":"2.0","id":${index},"method":"nope"}`).join(',')}]`;
    const full = (await wire.send(batch(1000))).json as RpcAnswer[];
    expect(full.map(({ id }) => id)).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    const over = await wire.send(batch(1001));
    if (transport === 'http') expect(over.status).toBe(413);
    expect(over.json).toEqual([error(-32600)]);
  });

  test('each call of a connection is answered with its own id', async () => {
    const answers = await Promise.all(
      transport === 'http'
        ? Array.from({ length: 50 }, (_, id) => wire.send(`{"jsonrpc":"2.0","id":${id},${CALL}}`))
        : [
            wire.send(
              `[${Array.from({ length: 50 }, (_, id) => `{"jsonrpc":"2.0","id":${id},${CALL}}`).join(',')}]`,
            ),
          ],
    );
    const got = answers.flatMap(({ json }) => json as RpcAnswer).map(({ id }) => id);
    expect(got).toEqual(Array.from({ length: 50 }, (_, id) => id));
  });
});

describe('bytes that cannot be a WebSocket text message', () => {
  test.each(byteLevel)('$name', async ({ body, status, answer }) => {
    const got = await post(inject('product').networks.evm.http, body);
    expect(got.status).toBe(status);
    expect(got.json).toEqual(answer);
  });
});
