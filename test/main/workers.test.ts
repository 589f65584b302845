import { describe, expect, it } from 'vitest';
import { mergeMetricTexts } from '../../src/ops/worker-reports.ts';
import { request } from '../transport/support.ts';
import type { Serving } from '../support/serve.ts';
import {
  answeredMore,
  CALL_CREDITS,
  configBefore,
  creditsAtRest,
  KEY,
  loadOn,
  servedBy,
  serveForTest,
  startNamedNode,
} from './load-support.ts';

/** Process ids of the workers that were started last. */
function workersOf(serving: Serving): number[] {
  const pids = new Map<string, number>();
  for (const [, worker, pid] of startsOf(serving)) pids.set(worker!, Number(pid));
  return [...pids.values()];
}

function startsOf(serving: Serving): RegExpMatchArray[] {
  return [...serving.log().matchAll(/"worker":(\d+),"pid":(\d+),"msg":"worker started"/g)];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const read = async (serving: Serving, path: string): Promise<[number, string]> => {
  const response = await fetch(new URL(path, serving.ops));
  return [response.status, await response.text()];
};

/** Calls each worker has answered well, by its number. */
async function callsByWorker(serving: Serving): Promise<Record<string, number>> {
  const [, text] = await read(serving, 'metrics');
  const samples = text.matchAll(/^specgate_calls_total\{worker="(\d+)".*outcome="ok"\} (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, worker, calls]) => [worker, Number(calls)]));
}

describe('several workers', () => {
  it('share the calls; a killed one is restarted, and its credits are never sold twice', async () => {
    const node = await startNamedNode('a', 5);
    const limits = { lease_ttl_ms: 1_500 };
    const config = configBefore(node, 0, { limits });
    const serving = await serveForTest(config, { workers: 2 });
    const before = await loadOn(serving, 12, 4);
    await answeredMore(before, 400);
    const shares = async (): Promise<number[]> => Object.values(await callsByWorker(serving));
    await expect.poll(async () => (await shares()).filter((calls) => calls > 100)).toHaveLength(2);
    await before.stop();
    expect(before.failed.size).toBe(0);
    expect(Object.keys(await callsByWorker(serving))).toEqual(['1', '2']);
    expect((await read(serving, 'readyz'))[0]).toBe(200);

    const pids = workersOf(serving);
    const [killed] = pids;
    process.kill(killed!, 'SIGKILL');
    await expect.poll(() => isAlive(killed!)).toBe(false);
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0x1",false]}';
    const url = `${serving.base}/v3/${KEY}`;
    expect(await request(url, { body })).toMatchObject({ status: 200, body: { result: 'a' } });
    await expect.poll(() => startsOf(serving).length).toBe(3);
    await expect.poll(async () => (await read(serving, 'readyz'))[0]).toBe(200);
    expect((await read(serving, 'metrics'))[1]).toMatch(/^specgate_worker_restarts_total 1$/m);

    const last = workersOf(serving);
    const line = await serving.reload(configBefore(node, 0, { limits, log: 'debug' }));
    expect(line).toContain('configuration reloaded');
    const after = await loadOn(serving, 12, 4);
    await answeredMore(after, 200);
    // On a busy machine, the system gives one process more of the connections.
    await expect.poll(async () => (await shares()).filter((calls) => calls > 30)).toHaveLength(2);
    await after.stop();
    expect(after.failed.size).toBe(0);
    for (const worker of [1, 2]) {
      expect(serving.log()).toMatch(new RegExp(`"worker":${worker},.*"msg":"call"`));
    }

    expect(await serving.stop()).toBe(0);
    expect([...pids, ...last].filter(isAlive)).toEqual([]);
    const served = servedBy(node).length * CALL_CREDITS;
    const { spent, lost } = await creditsAtRest(serving);
    expect(spent).toBeLessThanOrEqual(served);
    expect(spent + lost).toBeGreaterThanOrEqual(served);
  });

  it('refuse a reload together, and exit with the primary process', async () => {
    const node = await startNamedNode('a', 1);
    const stranger = await startNamedNode('b', 1);
    stranger.answerProbes(({ method }) => (method === 'eth_chainId' ? '"0x5"' : undefined));
    const serving = await serveForTest(configBefore(node, 0), { workers: 2 });
    const line = await serving.reload(configBefore(stranger, 0));
    expect(line).toMatch(/reload rejected/);
    expect(line).toMatch(/wrong chain: expected 31337, got 5/);
    const load = await loadOn(serving, 4, 1);
    await answeredMore(load, 50);
    await load.stop();
    expect(load.failed.size).toBe(0);
    expect(stranger.requests).toEqual([]);
    const pids = workersOf(serving);
    process.kill(serving.pid, 'SIGKILL');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });
});

describe('metrics of several workers', () => {
  it('are one text: each metric once, each sample with the label of its worker', () => {
    const text = (calls: number): string =>
      [
        '# HELP calls_total Calls, by how they ended.',
        '# TYPE calls_total counter',
        `calls_total{network="evm",outcome="a \\"b\\" {c}"} ${calls}`,
        '# HELP up Whether it is.',
        '# TYPE up gauge',
        'up 1',
        '',
      ].join('\n');
    expect(
      mergeMetricTexts(
        new Map([
          ['1', text(3)],
          ['2', text(4)],
        ]),
      ),
    ).toBe(
      [
        '# HELP calls_total Calls, by how they ended.',
        '# TYPE calls_total counter',
        'calls_total{worker="1",network="evm",outcome="a \\"b\\" {c}"} 3',
        'calls_total{worker="2",network="evm",outcome="a \\"b\\" {c}"} 4',
        '# HELP up Whether it is.',
        '# TYPE up gauge',
        'up{worker="1"} 1',
        'up{worker="2"} 1',
        '',
      ].join('\n'),
    );
  });
});
