import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../common/json/value.ts';
import type { Change, Value } from '../../../bench/verify/reference.ts';
import { checkRules } from '../../../generator/verify/checks.ts';
import { phases, type RunOptions, type Verified } from '../../../generator/verify/run.ts';
import { verifyShop } from './shop.ts';

const checksOf = ({ groups }: Verified): string[] => groups.map(({ failure }) => failure.check);

/** Changes each result; by default of every method. */
const onResult =
  (change: (result: Json) => Json, name?: string): Change =>
  ({ call }) => ({
    call(each): Value {
      const value = call(each);
      if ('error' in value || (name !== undefined && each.method.name !== name)) return value;
      return { result: JSON.stringify(change(JSON.parse(value.result) as Json)) };
    },
  });

/** Changes every third result of a method, except null. */
function onEveryThird(name: string, change: (result: string) => string): Change {
  let calls = 0;
  return ({ call }) => ({
    call(each): Value {
      const value = call(each);
      if (each.method.name !== name || !('result' in value) || value.result === 'null')
        return value;
      calls += 1;
      return calls % 3 === 0 ? { result: change(value.result) } : value;
    },
  });
}

const onText =
  (change: (text: string) => string): Change =>
  ({ print }) => ({ print: (reply, transport) => change(print(reply, transport)) });

/** For each check, a server that it finds something about. */
const broken: Readonly<Record<string, Change>> = {
  'response-received': ({ message }) => ({
    message: (incoming) =>
      incoming.transport === 'websocket' && incoming.bytes.toString().startsWith('[')
        ? { ...message(incoming), bodies: [], closes: true }
        : message(incoming),
  }),
  'notification-silent': ({ message }) => ({
    message(incoming) {
      const answer = message(incoming);
      return answer.status === 204 ? { ...answer, status: 200, bodies: ['{}'] } : answer;
    },
  }),
  'response-json': onText((text) => `<pre>${text}</pre>`),
  'one-response': ({ message }) => ({
    message(incoming) {
      const answer = message(incoming);
      return incoming.transport === 'websocket'
        ? { ...answer, bodies: answer.bodies.flatMap((body) => [body, body]) }
        : answer;
    },
  }),
  'batch-size': ({ message }) => ({
    message(incoming) {
      const answer = message(incoming);
      return { ...answer, bodies: answer.bodies.map((body) => body.replace(/^\[.*\]$/s, '[]')) };
    },
  }),
  'batch-order': ({ message }) => ({
    message(incoming) {
      const answer = message(incoming);
      const turn = (body: string): string =>
        body.startsWith('[') ? JSON.stringify((JSON.parse(body) as Json[]).toReversed()) : body;
      return { ...answer, bodies: answer.bodies.map(turn) };
    },
  }),
  'http-status': ({ message }) => ({
    message: (incoming) => ({ ...message(incoming), status: 200 }),
  }),
  'cost-charged': ({ reply }) => ({
    reply(request, transport) {
      const answer = reply(request, transport);
      return answer && { ...answer, cost: answer.cost + 1 };
    },
  }),
  'response-version': onText((text) => text.replace('"2.0"', '"1.0"')),
  'response-id': onText((text) => text.replace(/"id":(\d+)/, '"id":"$1"')),
  'response-shape': onText((text) => text.replace('"result":', '"error":null,"result":')),
  'invalid-key-rejected': ({ message }) => ({
    message: (incoming) => message({ ...incoming, path: '/v3/demo' }),
  }),
  'protocol-error': onText((text) => text.replace('"code":-32700', '"code":-32600')),
  'invalid-rejected': ({ refuses }) => ({
    refuses: (method, params, transport) =>
      Array.isArray(params) && typeof params[0] === 'number'
        ? undefined
        : refuses(method, params, transport),
  }),
  'example-response': onResult((result) => result ?? { id: '0x0000', price: 1 }),
  'valid-accepted': ({ refuses }) => ({
    refuses: (method, params, transport) =>
      method.name === 'get_owner' ? 'closed' : refuses(method, params, transport),
  }),
  'result-schema': onResult(() => ({ name: 1 }), 'get_owner'),
  'error-declared': ({ call }) => ({
    call: (each) =>
      each.method.name === 'get_owner' ? { error: { code: -32_011, message: 'x' } } : call(each),
  }),
  'error-data': ({ refuses, print }) => ({
    refuses,
    print: (reply, transport) =>
      print(reply, transport).replace(',"data":{"reason":"invalid_params"}', ''),
  }),
  'transports-agree': ({ call }) => ({
    call: (each) =>
      each.transport === 'websocket' && each.method.name === 'get_owner'
        ? { error: { code: -32_010, message: 'closed', data: { reason: 'closed' } } }
        : call(each),
  }),
  'immutable-result': onEveryThird('get_owner', () => '{"name":"another"}'),
  'default-applied': ({ call }) => ({
    call: (each) =>
      (each.params as readonly Json[])[1] === 'eur'
        ? { result: '{"id":"0x0001","price":2}' }
        : call(each),
  }),
  'link-found': onResult(() => null, 'get_owner'),
};

describe('a server that keeps its document', () => {
  test('is clean in every phase over both transports', async () => {
    const { verified } = await verifyShop();
    expect(verified.groups.map(({ failure }) => `${failure.check} ${failure.message}`)).toEqual([]);
    expect(verified.ended).toBeNull();
    expect(verified.phases.map(({ id }) => id)).toEqual([
      'examples',
      'protocol',
      'auth',
      'metering',
      'stateful',
      'boundary',
      'fuzz',
    ]);
    for (const { id, calls } of verified.phases) expect(calls, id).toBeGreaterThan(0);
  });

  test('shows what its calls covered, with every constraint on both sides', async () => {
    const { verified } = await verifyShop();
    const rows = new Map(verified.coverage.map((row) => [row.kind, row]));
    expect(rows.get('method')).toMatchObject({ covered: 2, total: 2 });
    expect(rows.get('parameter')).toMatchObject({ covered: 3, total: 3 });
    expect(rows.get('constraint')!.holes).toEqual([]);
    expect(rows.get('result field')!.holes).toEqual([]);
    expect(rows.get('error')!.holes).toContain('Closed');
  });
});

describe('every check finds a server that breaks it', () => {
  test('there is a broken server for each check but those of time and of fixtures', () => {
    const own = new Set(['latency', 'fixture-response']);
    const ids = checkRules.map(({ id }) => id).filter((id) => !own.has(id));
    expect(Object.keys(broken).toSorted()).toEqual(ids.toSorted());
  });

  test.each(Object.entries(broken))('%s', async (check, change) => {
    const { verified } = await verifyShop(change, { maxCalls: 300 });
    expect(checksOf(verified)).toContain(check);
  });

  test('latency', async () => {
    const { verified } = await verifyShop(undefined, { maxLatency_ms: 0, maxCalls: 5 });
    expect(checksOf(verified)).toEqual(['latency']);
  });
});

test('a result may change until its block is finalized, and null until there is a result', async () => {
  const items = (price: number): Change => {
    let calls = 0;
    return ({ call }) => ({
      call(each): Value {
        const [id] = each.params as readonly Json[];
        if (each.method.name !== 'get_item' || id === '0x0a1b') return call(each);
        calls += 1;
        if (calls % 3 === 0) return { result: 'null' };
        const owner = calls % 2 === 0 ? '0x00ff' : '0x00fe';
        return { result: JSON.stringify({ id: id!, price, owner }) };
      },
    });
  };
  const options = { examples: 'schema', phases: ['stateful'], skippedChecks: ['default-applied'] };
  const verified = async (price: number) =>
    (await verifyShop(items(price), options as Partial<RunOptions>)).verified;
  expect(checksOf(await verified(13))).not.toContain('immutable-result');
  expect(checksOf(await verified(12))).toContain('immutable-result');
});

test('errors that nodes choose need no row, but have no reason of the service', async () => {
  const failing =
    (data?: Json): Change =>
    ({ call }) => ({
      call: (each) =>
        each.method.name === 'get_owner'
          ? { error: { code: -32_603, message: 'failed', ...(data === undefined ? {} : { data }) } }
          : call(each),
    });
  const options = { phases: ['boundary'] };
  expect(checksOf((await verifyShop(failing(), options)).verified)).toEqual([]);
  const closed = await verifyShop(failing({ reason: 'closed' }), options);
  expect(checksOf(closed.verified)).toEqual(['error-declared']);
});

test('the page about verify lists every check and every phase', () => {
  const page = readFileSync('docs-site/content/toolchain/verify.md', 'utf8');
  for (const { id } of [...checkRules, ...phases])
    expect(page).toMatch(new RegExp(`^\\| \`${id}\` +\\|`, 'm'));
});

describe('budgets', () => {
  test('no more calls are sent than --max-calls, batches counted by their calls', async () => {
    const { verified, received } = await verifyShop(undefined, { maxCalls: 60 });
    const sent = received.flatMap((text) => text.match(/"id"|^[^{]*$/g) ?? []);
    expect(verified.calls).toBeLessThanOrEqual(60);
    expect(received.length).toBeLessThanOrEqual(60 + sent.length);
    expect(verified.ended).toMatch(/stopped after \d+ calls \(--max-calls 60\)/);
  });

  test('the run stops at the first failure with --fail-fast', async () => {
    const { verified, received } = await verifyShop(
      onText((text) => text.replace('2.0', '1')),
      {
        failFast: true,
      },
    );
    expect(verified.ended).toBe('examples: stopped at the first failure (--fail-fast)');
    expect(received).toHaveLength(1);
  });

  test('a transport that does not answer is no longer used after a few calls', async () => {
    const silent: Change = ({ message }) => ({
      message: (incoming) =>
        incoming.transport === 'websocket'
          ? { status: 0, headers: {}, bodies: [], closes: true }
          : message(incoming),
    });
    const { verified, received } = await verifyShop(silent, { phases: ['examples', 'protocol'] });
    expect(
      verified.groups.filter(({ failure }) => failure.check === 'response-received'),
    ).not.toEqual([]);
    expect(verified.phases.at(-1)!.calls).toBeLessThan(100);
    expect(received.length).toBeGreaterThan(40);
  });
});

describe('what is called', () => {
  test('methods that are not marked as read-only are called only with --writes', async () => {
    const isWrite = (text: string): boolean => text.includes('put_item');
    expect((await verifyShop()).received.some(isWrite)).toBe(false);
    expect((await verifyShop(undefined, { writes: true })).received.some(isWrite)).toBe(true);
  });

  test('equal seeds send equal calls', async () => {
    const options = { phases: ['fuzz'], seed: 'a' };
    const [first, second, other] = [
      await verifyShop(undefined, options),
      await verifyShop(undefined, options),
      await verifyShop(undefined, { ...options, seed: 'b' }),
    ];
    expect(first.received).toEqual(second.received);
    expect(first.received).not.toEqual(other.received);
  });

  test('answers of examples need not be equal with --examples schema', async () => {
    const change = onResult(
      (result) => (result === null ? null : { id: '0xffff', price: 3 }),
      'get_item',
    );
    expect(checksOf((await verifyShop(change)).verified)).toContain('example-response');
    const options = { examples: 'schema', phases: ['examples'] } as const;
    expect(checksOf((await verifyShop(change, options)).verified)).toEqual([]);
  });

  test('values of a result are params of other calls', async () => {
    const { received } = await verifyShop(undefined, { phases: ['stateful'] });
    expect(received.some((text) => text.includes('"get_owner","params":["0x00ff"]'))).toBe(true);
  });
});

test('the failure of a group is shown with a call that is as small as possible', async () => {
  const change: Change = ({ refuses }) => ({
    refuses: (method, params, transport) =>
      JSON.stringify(params).includes('101') ? undefined : refuses(method, params, transport),
  });
  const { verified } = await verifyShop(change, { writes: true });
  const group = verified.groups.find(({ failure }) => failure.probe.method?.name === 'put_item')!;
  expect(group.failure.check).toBe('invalid-rejected');
  expect(group.failure.probe.body).toMatch(/"params":\[\{"id":"\w+","price":101\}\]/);
});
