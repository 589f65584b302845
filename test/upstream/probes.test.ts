import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { probes } from '../../src/upstream/health/probes.ts';
import type { StreamingUpstream } from '../../src/upstream/upstream.ts';
import { startFakeNode } from './fake-node.ts';
import { openUpstream } from './support.ts';

const signal = new AbortController().signal;
const block = `{"transactions":["${'0x'.padEnd(66, 'a')}"],"gasLimit":"0x1c9c380","number":"0x10"}`;

/** Asks a node that answers every probe with `result`. */
async function headOf(result: string) {
  const node = await startFakeNode(() => result);
  node.answerProbes(() => result);
  return probes.evm.head(openUpstream(node.url), signal);
}

describe('a probe', () => {
  it('reads the number and the gas limit of a block', async () => {
    expect(await headOf(block)).toEqual({ number: 16, gasLimit: 30_000_000n });
  });

  it('is that of the genesis block on a new chain', async () => {
    const genesis = '{"number":"0x0","gasLimit":"0x1"}';
    expect(await headOf(genesis)).toEqual({ number: 0, gasLimit: 1n });
  });

  it.each([
    ['null', 'null'],
    ['a string', '"0x10"'],
    ['another object', '{"number":16,"gasLimit":"0x1"}'],
    [
      'a large object that is not valid JSON',
      `${block.slice(0, -1)},"x":"${'x'.repeat(70_000)}",!}`,
    ],
    ['a number beyond 2^53', '{"number":"0xffffffffffffffff","gasLimit":"0x1"}'],
  ])('reports %s as unexpected', async (_name, result) => {
    expect(await headOf(result)).toMatchObject({
      cause: 'unhealthy',
      detail: 'latest block: unexpected response',
    });
  });

  it.each([
    ['twice', 2, { number: 16, gasLimit: 30_000_000n }],
    ['three times', 3, { cause: 'connection' }],
  ])('is repeated when its connection was reset %s', async (_name, resets, head) => {
    let requests = 0;
    const node = await startFakeNode((_request, { socket }) => {
      requests += 1;
      if (requests <= resets) socket!.resetAndDestroy();
      return block;
    });
    node.answerProbes(() => undefined);
    expect(await probes.evm.head(openUpstream(node.url), signal)).toMatchObject(head);
    expect(requests).toBe(3);
  });

  const FOUR_MIB = 4 * 1024 * 1024 - 100;
  const filled = (part: string): string => part.repeat(FOUR_MIB / part.length).slice(0, -1);

  it.each([
    ['very many members', `{"number":"0x1","gasLimit":"0x1",${filled(String.raw`"\n":0,`)}}`],
    ['a gas limit of four MiB', `{"number":"0x1","gasLimit":[${filled('{"a":[]},')}]}`],
  ])('rejects a block with %s', async (_name, text) => {
    const result = Buffer.from(text);
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const head = await probes.evm.head(async () => ({ kind: 'result', result }), signal);
    expect(head).toMatchObject({ detail: 'latest block: unexpected response' });
    expect(parse.mock.calls.length).toBeLessThan(100);
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(100);
  });

  it('lets other work go on while it reads a large block', async () => {
    const filler = filled('{"a":[]},').slice(90);
    const result = Buffer.from(`{"x":[${filler}],"number":"0x1","gasLimit":"0x1"}`);
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const head = await probes.evm.head(async () => ({ kind: 'result', result }), signal);
    isDone = true;
    expect(head).toEqual({ number: 1, gasLimit: 1n });
    expect(turns).toBeGreaterThan(10);
  });

  it.each(['1e999', '-1', '1.5', '9007199254740993', '"7"', 'null'])(
    'reports the slot %s as unexpected',
    async (slot) => {
      const upstream: StreamingUpstream = async ({ method }) => ({
        kind: 'result',
        result: Buffer.from(method === 'getHealth' ? '"ok"' : slot),
      });
      expect(await probes.svm.head(upstream, signal)).toMatchObject({
        cause: 'unhealthy',
        detail: 'getSlot: unexpected response',
      });
      expect(await probes.svm.finalized(upstream, signal)).toBeUndefined();
    },
  );

  it('stops reading a result that is larger than any block', async () => {
    expect(await headOf(`[${'[],'.repeat(1_600_000)}0]`)).toMatchObject({
      kind: 'failure',
      detail: expect.stringContaining('exceeds the size limit'),
    });
  });

  it.each([
    ['head', 5_000_000],
    ['identity', 2_000],
  ] as const)('does not parse the result of %s above its size', async (name, bytes) => {
    const result = Buffer.from(`"${'x'.repeat(bytes)}"`);
    const outcome = await probes.evm[name](async () => ({ kind: 'result', result }), signal);
    expect(outcome).toMatchObject({ detail: expect.stringContaining('the result is too large') });
  });
});
