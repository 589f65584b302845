import { expect, test } from 'vitest';
import { compareServers } from '../../../generator/verify/compare.ts';
import { readContract } from '../../../generator/verify/contract.ts';
import { Coverage } from '../../../generator/verify/coverage.ts';
import type { Channel } from '../../../generator/verify/transport.ts';
import { Seeds } from '../../../generator/verify/seeds.ts';
import { variantsOf } from '../../../generator/verify/variants.ts';
import { atScale } from '../../support/soak.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

const LEVELS = atScale(8, 5);
const ref = (level: number) => ({ $ref: `#/components/schemas/C${level}` });

/** Returns the contract of a method whose components each refer to the next one many times. */
async function contractOf(make: (next: object[]) => object) {
  const schemas = Object.fromEntries(
    Array.from({ length: LEVELS }, (_, level) => [
      `C${level}`,
      level === LEVELS - 1 ? {} : make(Array.from({ length: 20 }, () => ref(level + 1))),
    ]),
  );
  const document = documentOf([methodOf('m', ref(0), ref(0))], { components: { schemas } });
  return readContract(await modelOf(document), { writes: false });
}

const members = (next: object[]) => ({
  type: 'object',
  properties: Object.fromEntries(next.map((each, index) => [`p${index}`, each])),
});

test('the members of a result are listed up to a limit', async () => {
  const rows = new Coverage(await contractOf(members)).rows();
  const total = rows.find(({ kind }) => kind === 'result field')!.total;
  expect(total).toBeGreaterThan(1_000);
  expect(total).toBeLessThan(11_000);
});

test.each([
  ['members', members],
  ['parts without constraints', (next: object[]) => ({ allOf: next })],
])('the variants of params end: %s', async (_, make) => {
  const contract = await contractOf(make);
  const [method] = contract.methods;
  const variants = variantsOf(contract, method!, { base: [{}], seeds: new Seeds(contract) });
  let count = 0;
  for (const _variant of variants) count += 1;
  expect(count).toBeLessThan(200_000);
});

test('a comparison of servers makes no more variants than it sends', async () => {
  const contract = await contractOf(members);
  let sent = 0;
  const channel: Channel = {
    name: 'http',
    send: ({ body }) => {
      sent += 1;
      const { id } = JSON.parse(String(body)) as { id: number };
      const text = JSON.stringify({ jsonrpc: '2.0', id, result: {} });
      const headers = { 'content-type': 'application/json' };
      const answer = { status: 200, headers, texts: [text], failure: null, took_ms: 0 };
      return Promise.resolve({ transport: 'http', ...answer });
    },
    close: () => Promise.resolve(),
  };
  const url = 'http://127.0.0.1/';
  const budget = { contract, maxCalls: 10, interval_ms: 0, random: () => 0 };
  const compared = await compareServers([{ url, channel }], budget);
  expect(compared).toMatchObject([{ method: 'm', calls: 10 }]);
  expect(sent).toBe(10);
});
