import { describe, expect, inject, test } from 'vitest';
import { everyExample, type ExamplePairing } from '../support/document.ts';
import { httpWire, webSocketWire, type RpcAnswer, type Wire } from '../support/wire.ts';
import type { ProductNetwork } from '../support/product.ts';

function networkOf(example: ExamplePairing, family: string): ProductNetwork {
  const { networks } = inject('product');
  const name = example['x-network'] ?? (family === 'svm' ? 'solana' : 'evm');
  return networks[name as keyof typeof networks];
}

const live = everyExample()
  .filter(({ example }) => example['x-setup'] === undefined)
  .map(({ method, example }) => ({ method, example, label: `${method.name}: ${example.name}` }));

describe.each(['http', 'websocket'] as const)(
  'every example of the document, live over %s',
  (transport) => {
    test.each(live)('$label', async ({ method, example }) => {
      const network = networkOf(example, method['x-network-family']);
      const wire: Wire =
        transport === 'http' ? httpWire(network.http) : await webSocketWire(network.ws);
      try {
        const params = example.params.map(({ value }) => value);
        const { json } = await wire.send(
          JSON.stringify({ jsonrpc: '2.0', id: 1, method: method.name, params }),
        );
        const answer = json as RpcAnswer;
        if (example['x-error'] === undefined)
          expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: example.result?.value });
        else {
          const { data, ...rest } = example['x-error'];
          expect(answer.error).toMatchObject(rest);
          if (typeof data === 'object') expect(answer.error?.data).toMatchObject(data as object);
          else expect(answer.error?.data).toEqual(data);
        }
      } finally {
        await wire.close();
      }
    });
  },
);
