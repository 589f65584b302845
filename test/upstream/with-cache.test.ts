import { describe, expect, it } from 'vitest';
import { ResultCache } from '../../src/upstream/result-cache.ts';
import { failure, type StreamingOutcome, type UpstreamCall } from '../../src/upstream/upstream.ts';
import type { CacheOptions } from '../../src/upstream/with-cache.ts';
import { byParam, resultOf, rig, type Rig } from './cache-rig.ts';
import { callOf, textOf } from './support.ts';

/** Asks twice, answers, and returns whether the same call is answered from the cache then. */
async function isCached(
  outcome: StreamingOutcome,
  { call, options }: { call?: UpstreamCall; options?: Partial<CacheOptions> } = {},
): Promise<boolean> {
  const gateway = rig(options);
  for (let round = 0; round < 2; round += 1) {
    const asked = gateway.ask(call);
    gateway.answer(outcome);
    expect(await asked).toBe(outcome);
  }
  void gateway.ask(call);
  return gateway.received.length === 2;
}

describe('the cache', () => {
  it('keeps a result whose block is final, byte for byte, once it was asked for twice', async () => {
    const gateway = rig();
    await gateway.askTwice('{"number": "0x64", "x":1.0}');
    expect(await gateway.ask()).toEqual(resultOf('{"number": "0x64", "x":1.0}'));
    expect(gateway.received).toHaveLength(2);
    expect(gateway.outcomes).toEqual(['miss', 'miss', 'hit']);
  });

  it.each([
    ['a block that is not final', '{"number":"0x65"}', false],
    ['the newest final block', '{"number":"0x64"}', true],
    ['a slot that is final', '{"number":100}', true],
    ['a slot that is not final', '{"number":101}', false],
    ['a pending block', '{"number":null}', false],
    ['a result without the number', '{"hash":"0x64"}', false],
    ['null', 'null', false],
    ['a number that is too large', '{"number":"0xffffffffffffffff"}', false],
    ['the last of two numbers', '{"number":"0x1","number":"0x65"}', false],
    ['a result above 64 KiB', `{"number":"0x1","data":"${'0'.repeat(65_536)}"}`, false],
  ])('decides about %s', async (_, result, isKept) => {
    expect(await isCached(resultOf(result))).toBe(isKept);
  });

  it.each([
    ['["0x64"]', true],
    ['["0x65"]', false],
    ['["finalized"]', false],
    ['["earliest"]', false],
    [`["0x${'0'.repeat(64)}"]`, false],
    ['[{"blockHash":"0x1"}]', false],
    ['[]', false],
  ])('decides by the params %s', async (params, isKept) => {
    const options = { immutabilityOf: () => byParam };
    const call = callOf('eth_test', params);
    expect(await isCached(resultOf('[]'), { call, options })).toBe(isKept);
    expect(await isCached(resultOf('null'), { call, options })).toBe(false);
  });

  it('keeps any result of a method whose results are final at once', async () => {
    const options = { immutabilityOf: () => ({ block: null }) };
    expect(await isCached(resultOf('7'), { options })).toBe(true);
    expect(await isCached(resultOf('null'), { options })).toBe(false);
  });

  it('keeps no errors, failures or results of a partner, and none of other methods', async () => {
    const final = '{"number":"0x1"}';
    expect(await isCached({ kind: 'error', error: { code: 3, message: 'reverted' } })).toBe(false);
    expect(await isCached(failure('timeout', ''))).toBe(false);
    expect(await isCached(resultOf(final, { name: 'p', isPartner: true }))).toBe(false);
    const options = { immutabilityOf: () => undefined };
    expect(await isCached(resultOf(final), { options })).toBe(false);
  });

  it('keeps no result that the method cannot have', async () => {
    const options = {
      isValid: (method: string, result: Buffer) =>
        `${method} ${result}` === 'eth_test {"number":"0x1"}',
    };
    expect(await isCached(resultOf('{"number":"0x1"}'), { options })).toBe(true);
    expect(await isCached(resultOf('{"number":"0x2"}'), { options })).toBe(false);
  });

  it('requires that the block was final before the call was sent', async () => {
    const gateway = rig();
    await gateway.askTwice('null');
    const call = gateway.ask();
    // The node answered before a reorganization; the block became final while the answer traveled.
    gateway.finalized = 200;
    gateway.answer(resultOf('{"number":"0x65"}'));
    await call;
    expect(gateway.cache.entries).toBe(0);
  });

  it('is not used while a node does not report its final block', async () => {
    const gateway = rig();
    gateway.finalized = undefined;
    await gateway.askTwice('{"number":"0x1"}');
    expect(gateway.cache.entries).toBe(0);
    expect(gateway.outcomes).toEqual([]);
  });

  it('is emptied when the final block goes back', async () => {
    const gateway = rig();
    await gateway.askTwice('{"number":"0x1"}');
    expect(gateway.cache.entries).toBe(1);
    gateway.finalized = 99;
    void gateway.ask();
    expect(gateway.received).toHaveLength(3);
    expect(gateway.cache.entries).toBe(0);
  });

  it('keeps no result that was asked for before the final block went back', async () => {
    const gateway = rig();
    await gateway.askTwice('null');
    const asked = gateway.ask();
    gateway.finalized = 99;
    void gateway.ask(callOf('eth_test', '["0x2"]'));
    gateway.answer(resultOf('{"number":"0x1"}'));
    await asked;
    expect(gateway.cache.entries).toBe(0);
  });

  it('keeps the results of an account while another one fills it', () => {
    const cache = new ResultCache(10_000);
    const result = (size: number) => ({ kind: 'result', result: Buffer.alloc(size) }) as const;
    for (const key of ['x', 'y', 'z']) cache.set(key, result(1_000), 'small');
    for (let index = 0; index < 100; index += 1) {
      cache.set(`k${index}`, result(700), 'large');
      expect(cache.bytes).toBeLessThanOrEqual(10_000);
    }
    expect(['x', 'y', 'z', 'k0', 'k99'].map((key) => cache.get(key) !== undefined)).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
    // A third account gets its space from the largest.
    for (const key of ['1', '2']) cache.set(key, result(1_000), 'new');
    expect(['x', 'y', 'z', '1', '2', 'k99'].map((key) => cache.get(key) !== undefined)).toEqual(
      Array(6).fill(true),
    );
  });

  it('evicts results that are not used, and stays within its size', () => {
    const cache = new ResultCache(10_000);
    const result = { kind: 'result' as const, result: Buffer.alloc(1_000) };
    for (let index = 0; index < 100; index += 1) {
      cache.set(`key ${index}`, result);
      expect(cache.get('key 0')).toBeDefined();
      expect(cache.bytes).toBeLessThanOrEqual(10_000);
    }
    expect(cache.get('key 1')).toBeUndefined();
    expect(cache.get('key 99')).toBeDefined();
    cache.set('large', { kind: 'result', result: Buffer.alloc(6_000) });
    expect(cache.get('large')).toBeUndefined();
    cache.clear();
    expect([cache.entries, cache.bytes]).toEqual([0, 0]);
  });
});

describe('identical calls in flight', () => {
  const sharing = { immutabilityOf: () => undefined, isShared: () => true };

  it('share one upstream call, errors included', async () => {
    const gateway = rig(sharing);
    const calls = [gateway.ask(), gateway.ask(), gateway.ask()];
    expect(gateway.received).toHaveLength(1);
    const error = { kind: 'error', error: { code: 3, message: 'reverted' } } as const;
    gateway.answer(error);
    expect(await Promise.all(calls)).toEqual([error, error, error]);
    expect(gateway.outcomes).toEqual(['shared', 'shared']);
    void gateway.ask();
    expect(gateway.received).toHaveLength(2);
  });

  it.each([
    ['other params', callOf('eth_test', '["0x2"]')],
    ['another method', callOf('eth_other', '["0x1"]')],
    ['forwarding', callOf('eth_test', '["0x1"]', { forwarding: 'included' })],
    ['streams', callOf('eth_test', '["0x1"]', { streams: true })],
  ])('are not those with %s', (_, other) => {
    const gateway = rig(sharing);
    void gateway.ask();
    void gateway.ask(other);
    expect(gateway.received).toHaveLength(2);
  });

  it('do not wait for a call that waits in the queue of another account', () => {
    const gateway = rig(sharing, false);
    void gateway.ask();
    void gateway.ask();
    expect(gateway.received).toHaveLength(2);
  });

  it('of one batch share an upstream call that is not sent yet', async () => {
    const gateway = rig(sharing, false);
    const call = callOf('eth_test', '["0x1"]', { batch: {} });
    const calls = [gateway.ask(call), gateway.ask({ ...call })];
    expect(gateway.received).toHaveLength(1);
    gateway.answer(resultOf('1'));
    expect((await Promise.all(calls)).map(textOf)).toEqual(['1', '1']);
  });

  it('are not shared across a new block', () => {
    const gateway = rig(sharing);
    void gateway.ask();
    gateway.head += 1;
    void gateway.ask();
    expect(gateway.received).toHaveLength(2);
  });

  it('are sent on their own after a failure, a stream or a second', async () => {
    for (const end of [
      (gateway: Rig) => gateway.answer(failure('aborted', 'the caller left')),
      (gateway: Rig) => gateway.answer(failure('overloaded', 'too many calls of the account')),
      (gateway: Rig) =>
        gateway.answer({
          kind: 'stream',
          stream: {
            ended: Promise.resolve({ kind: 'whole', bytes: 0 }),
            async *[Symbol.asyncIterator]() {},
          },
        }),
      (gateway: Rig) => gateway.passTime(),
    ]) {
      const gateway = rig(sharing);
      void gateway.ask();
      const second = gateway.ask();
      end(gateway);
      await expect.poll(() => gateway.received).toHaveLength(2);
      gateway.answerRest(resultOf('1'));
      expect(await second).toEqual(resultOf('1'));
    }
  });

  it('wait for the newest of them, not for one that may never get an answer', async () => {
    const gateway = rig(sharing);
    void gateway.ask();
    gateway.now_ms += 1_000;
    const second = gateway.ask();
    const third = gateway.ask();
    expect(gateway.received).toHaveLength(2);
    gateway.answer(failure('timeout', 'no response in time'));
    const fourth = gateway.ask();
    expect(gateway.received).toHaveLength(2);
    gateway.answer(resultOf('1'));
    expect(await Promise.all([second, third, fourth])).toEqual(Array(3).fill(resultOf('1')));
  });

  it('wait for a second from the time at which the first one was sent', () => {
    const waits_ms: number[] = [];
    const startTimer = (wait_ms: number) => {
      waits_ms.push(wait_ms);
      return () => undefined;
    };
    const gateway = rig({ ...sharing, startTimer });
    void gateway.ask();
    for (const now_ms of [0, 400, 999]) {
      gateway.now_ms = now_ms;
      void gateway.ask();
    }
    expect(waits_ms).toEqual([1_000, 600, 1]);
  });

  it('that have waited in vain are sent as one call for each account', async () => {
    const gateway = rig(sharing);
    void gateway.ask();
    const askAs = (account: string) =>
      Array.from({ length: 10 }, () => gateway.ask(callOf('eth_test', '["0x1"]', { account })));
    const calls = [...askAs('a'), ...askAs('b')];
    gateway.now_ms = 1_000;
    gateway.passTime();
    await expect.poll(() => gateway.received).toHaveLength(3);
    expect(gateway.received.slice(1)).toMatchObject([
      { account: 'a', waited_ms: 1_000 },
      { account: 'b', waited_ms: 1_000 },
    ]);
    gateway.answerRest(resultOf('1'));
    expect(await Promise.all(calls)).toEqual(calls.map(() => resultOf('1')));
    expect(gateway.received).toHaveLength(3);
    // With a newer block, the answer to an earlier call would be too old.
    void gateway.ask();
    const late = gateway.ask();
    gateway.passTime();
    await expect.poll(() => gateway.received).toHaveLength(5);
    void gateway.ask();
    gateway.head += 1;
    gateway.passTime();
    await expect.poll(() => gateway.received).toHaveLength(6);
    gateway.answerRest(resultOf('2'));
    expect(await late).toEqual(resultOf('2'));
  });

  it('are sent on their own if the answer is not theirs', async () => {
    const gateway = rig({ ...sharing, mayShare: ({ account }) => account === 'b' });
    void gateway.ask();
    const calls = ['b', 'c'].map((account) =>
      gateway.ask(callOf('eth_test', '["0x1"]', { account })),
    );
    gateway.now_ms = 400;
    gateway.answer(resultOf('1'));
    await expect.poll(() => gateway.received).toHaveLength(2);
    expect(gateway.received[1]).toMatchObject({ account: 'c', waited_ms: 400 });
    gateway.answer(resultOf('2'));
    expect(await Promise.all(calls)).toEqual([resultOf('1'), resultOf('2')]);
    expect(gateway.outcomes).toEqual(['shared']);
  });

  it('do not share when their params are large', () => {
    const gateway = rig(sharing);
    const call = callOf('eth_test', `["${'0'.repeat(5_000)}"]`);
    void gateway.ask(call);
    void gateway.ask(call);
    expect(gateway.received).toHaveLength(2);
  });
});
