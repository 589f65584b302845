import { describe, expect, test } from 'vitest';
import { toLoaded } from '../../../bench/diff/document.ts';
import type { Change } from '../../../bench/verify/reference.ts';
import { readContract } from '../../../generator/verify/contract.ts';
import { shop, verifyShop } from './shop.ts';

describe('the usage of the account', () => {
  const metered = async (change: Change) =>
    (await verifyShop(change, { phases: ['metering'] })).verified.groups.map(
      ({ failure, transports }) =>
        `${failure.probe.method?.name ?? ''} ${failure.message} over ${transports.join(', ')}`,
    );

  test('grows by the cost of calls over WebSocket too', async () => {
    const free: Change = ({ charge }) => ({
      charge: (cost, transport) => charge(transport === 'websocket' ? 0 : cost, transport),
    });
    expect(await metered(free)).toEqual([
      'get_item expected the usage of the account to grow by 5, got 0 over websocket',
      'get_owner expected the usage of the account to grow by 1, got 0 over websocket',
    ]);
  });

  test('must not grow by more, unless by the calls of others', async () => {
    const twice: Change = ({ charge }) => ({
      charge: (cost, transport) => charge(cost * 2, transport),
    });
    expect(await metered(twice)).toContain(
      'get_owner expected the usage of the account to grow by 1, got 2 over http, websocket',
    );
    let calls = 0;
    const others: Change = ({ charge }) => ({
      charge(cost, transport) {
        calls += 1;
        charge(cost + (calls % 2 === 0 ? calls : 0), transport);
      },
    });
    expect(await metered(others)).toEqual([]);
  });

  test('is not read from a host that the document chooses', async () => {
    const document = structuredClone(shop);
    const usageAt = async (path: string) => {
      document['x-behavior'].usage.path = path;
      return readContract((await toLoaded(document)).model, { writes: true }).usage;
    };
    expect(await usageAt('@127.0.0.1/usage')).toBeNull();
    expect(await usageAt('.example.org/usage')).toBeNull();
    expect(await usageAt('?usage')).toEqual({ path: '?usage', pointer: '/used' });
  });

  test('is not checked where it cannot be read', async () => {
    expect(await metered(() => ({ used: () => '1' as unknown as number }))).toEqual([]);
  });
});

test('a response with neither a result nor an error is a failure, and does not end the run', async () => {
  const change: Change = ({ print }) => ({
    print: (reply, transport) => print(reply, transport).replace(/,"(?:result|error)":.*\}$/s, '}'),
  });
  const { verified } = await verifyShop(change, { phases: ['examples', 'metering'] });
  expect(verified.groups.map(({ failure }) => failure.check)).toContain('response-shape');
  expect(verified.ended).toBeNull();
});
