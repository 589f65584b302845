import { expect, test, vi } from 'vitest';
import { atScale } from '../../support/soak.ts';
import { countedSteps } from '../../../common/validators-runtime/helpers.js';
import { readContract } from '../../../generator/verify/contract.ts';
import { callProbe } from '../../../generator/verify/message.ts';
import { boundary } from '../../../generator/verify/phases/boundary.ts';
import { fuzz } from '../../../generator/verify/phases/fuzz.ts';
import { Session } from '../../../generator/verify/session.ts';
import { shrink } from '../../../generator/verify/shrink.ts';
import type { Channel } from '../../../generator/verify/transport.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

const WIDTH = atScale(1_000, 300);
const each = <T>(make: (index: number) => T) => Array.from({ length: WIDTH }, (_, i) => make(i));

const union = { anyOf: each((index) => ({ type: 'object', required: [`p${index}`] })) };
const members = {
  type: 'object',
  properties: Object.fromEntries(each((index) => [`p${index}`, { type: 'string' }])),
  required: each((index) => `p${index}`),
};

/** Returns a session whose server answers nothing useful, and the bodies it got. */
async function sessionFor(methods: readonly Readonly<Record<string, unknown>>[], more = {}) {
  const contract = readContract(await modelOf(documentOf(methods, more)), { writes: true });
  const sent: string[] = [];
  const channel: Channel = {
    name: 'http',
    send: ({ body }) => {
      sent.push(String(body));
      const answer = { status: 200, headers: {}, texts: ['{}'], failure: null, took_ms: 0 };
      return Promise.resolve({ transport: 'http', ...answer });
    },
    close: () => Promise.resolve(),
  };
  const session = new Session({
    contract,
    channels: [channel],
    targets: {},
    maxCalls: 10_000,
    interval_ms: 0,
    maxLatency_ms: Infinity,
    failFast: false,
    random: () => 0.5,
  });
  return { session, sent, method: contract.methods[0]! };
}

test.each([
  ['one method', 1],
  ['many methods', 20],
])(
  'the params of a wide union are validated in a bounded number of steps: %s',
  async (_, count) => {
    const schema = { $ref: '#/components/schemas/Wide' };
    const methods = Array.from({ length: count }, (__, index) => methodOf(`m${index}`, schema));
    const { session, sent } = await sessionFor(methods, {
      components: { schemas: { Wide: union } },
    });
    const before = countedSteps();
    await boundary.run(session);
    // Each call is validated once more when it is sent.
    expect(countedSteps() - before).toBeLessThan(10_000_000);
    for (const { name } of session.contract.methods) {
      expect(sent.some((body) => body.includes(`"${name}"`))).toBe(true);
    }
  },
);

test('params of very many members are sent up to a number of characters', async () => {
  const { session, sent } = await sessionFor([methodOf('m', members)]);
  await boundary.run(session);
  expect(sent.length).toBeGreaterThan(100);
  expect(sent.join('').length).toBeLessThan(33_000_000);
});

test('random params of very many members are sent up to a number of characters', async () => {
  const methods = Array.from({ length: 20 }, (_, index) => methodOf(`m${index}`, members));
  const { session, sent } = await sessionFor(methods);
  const value = Object.fromEntries(each((index) => [`p${index}`, 'text text']));
  vi.spyOn(session.seeds, 'make').mockReturnValue(value);
  await fuzz.run(session);
  expect(sent.length).toBeGreaterThan(20);
  expect(sent.join('').length).toBeLessThan(2_100_000);
});

test('a failure with very long params is made smaller in few steps', async () => {
  const { session, method } = await sessionFor([
    methodOf('m', { type: 'array', items: { type: 'string' } }),
  ]);
  const texts = each((index) => `text ${index}`);
  const params = [[...texts, ...texts, ...texts]];
  const [failure] = (await session.ask(callProbe(method, params, { title: '', id: '1' }), 'http'))
    .failures;
  const refuses = vi.spyOn(method, 'refuses');
  const { probe } = await shrink(session, failure!);
  expect(probe.body.length).toBeLessThan(200);
  expect(refuses.mock.calls.length).toBeLessThan(2_000);
});
