/** The examples of the document that need a failure: each is set up, and then answered as shown. */
import { afterEach, describe, expect, test } from 'vitest';
import { startEvmNode } from '../../src/devnet/evm/index.ts';
import {
  document,
  everyExample,
  type ExamplePairing,
  type JsonObject,
} from '../support/document.ts';
import { freePort } from '../support/free-port.ts';
import { removeFolder, serve } from '../support/serve.ts';
import { httpWire, webSocketWire, type RpcAnswer, type Wire } from '../support/wire.ts';

type Setup = NonNullable<ExamplePairing['x-setup']>;

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

async function liveNode(): Promise<string> {
  const node = await startEvmNode();
  ended.push(() => node.stop());
  return node.httpUrl;
}

/** Sets up each failure: the account, and the address of the only upstream. */
const setups: Readonly<
  Record<Setup, (example: ExamplePairing) => Promise<{ account: object; upstream: string }>>
> = {
  'credits-exhausted': async (example) => ({
    account: {
      plan: 'custom',
      creditsPerDay: (example['x-error']!.data as { remaining: number }).remaining,
      callsPerSecond: 1000,
    },
    upstream: await liveNode(),
  }),
  'upstream-down': async () => ({
    account: { plan: 'free' },
    upstream: `http://127.0.0.1:${await freePort()}`,
  }),
};

const examples = everyExample()
  .filter(({ example }) => example['x-setup'] !== undefined)
  .map(({ method, example }) => ({ method, example, label: `${method.name}: ${example.name}` }));

describe('every example that needs a failure first', () => {
  test.each(examples)('$label', async ({ method, example }) => {
    const { account, upstream } = await setups[example['x-setup']!](example);
    const serving = await serve({
      accounts: [{ id: 'partner', ...account, keys: [{ key: 'key-of-partner' }] }],
      networks: [
        { name: 'evm', family: 'evm', listen: { port: 0 }, upstreams: [{ url: upstream }] },
      ],
    });
    ended.push(
      async () => removeFolder(serving.folder),
      () => serving.stop(),
    );
    const base = serving.base;
    const wires: Wire[] = [
      httpWire(`${base}/v3/key-of-partner`),
      await webSocketWire(`${base.replace('http', 'ws')}/ws/v3/key-of-partner`),
    ];
    ended.push(() => wires[1]!.close());

    const { code, message, data } = example['x-error']!;
    const row = document['x-errors'].find(
      (one) => one.code === code && one.reason === (data as { reason: string }).reason,
    )!;
    const params = example.params.map(({ value }) => value);
    // The time at which the balance is reset differs every day.
    const { resetsAt: _, ...rest } = data as JsonObject;
    for (const wire of wires) {
      const { json, status } = await wire.send(
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: method.name, params }),
      );
      expect((json as RpcAnswer).error).toMatchObject({ code, message, data: rest });
      if (wire.name === 'http') expect(status).toBe(row.status);
    }
  });

  test('both failures have an example', () => {
    expect(new Set(examples.map(({ example }) => example['x-setup']))).toEqual(
      new Set(Object.keys(setups)),
    );
  });
});
