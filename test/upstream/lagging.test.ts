import { describe, expect, it } from 'vitest';
import type { BlockParams } from '../../src/upstream/routing/heights.ts';
import { startFakeNode, type Behavior, type FakeNode } from './fake-node.ts';
import { fakeClock } from './clock.ts';
import { atHeight } from './probe-answer.ts';
import { callOf, startNetwork, textOf, type WatchedNetwork } from './support.ts';

const blockParams: BlockParams = {
  eth_block: [{ pointer: '/0', reads: 'at' }],
  getAccounts: [{ pointer: '/1/minContextSlot', reads: 'from' }],
};
const { signal } = new AbortController();

/** A node that has blocks up to its height and answers null above. */
async function nodeAt(height: number): Promise<FakeNode> {
  const node = await startFakeNode(({ params }) =>
    Number(params[0]) > height ? 'null' : `"from ${height}"`,
  );
  node.answerProbes(atHeight(height));
  return node;
}

async function ask(network: WatchedNetwork, block: unknown): Promise<string> {
  return textOf(await network.call(callOf('eth_block', JSON.stringify([block])), signal));
}

const options = { blockParams, lag_blocks: 2, limits: { probe_interval_ms: 60_000 } } as const;

describe('a network with a node that is behind', () => {
  it('never returns its null for a block that another node has', async () => {
    const [behind, ahead] = [await nodeAt(90), await nodeAt(100)];
    const network = await startNetwork([behind.url, ahead.url], options);
    for (let round = 0; round < 20; round += 1) {
      expect(await ask(network, '0x5f')).toBe('"from 100"');
      expect(await ask(network, '0x64')).toBe('"from 100"');
    }
    expect(behind.requests).toHaveLength(0);
  });

  it('fails rather than return its null when the other node fails', async () => {
    const [behind, ahead] = [await nodeAt(90), await nodeAt(100)];
    const network = await startNetwork([behind.url, ahead.url], options);
    ahead.behave((_request, response) => void response.writeHead(500).end());
    expect(await ask(network, '0x5f')).toBe('status');
    expect(await ask(network, '0x5a')).toBe('"from 90"');
    expect(behind.requests).toHaveLength(1);
  });

  it('remembers the height of the other node after it is lost', async () => {
    const [behind, ahead] = [await nodeAt(90), await nodeAt(100)];
    const clock = fakeClock();
    const network = await startNetwork([behind.url, ahead.url], {
      ...options,
      clock,
      limits: { probe_interval_ms: 20, height_memory_ms: 400 },
    });
    await ahead.stop();
    await expect.poll(() => network.head()?.number).toBe(90);
    expect(await ask(network, '0x5f')).toBe('none');
    expect(await ask(network, '0x5a')).toBe('"from 90"');
    clock.pass(401);
    await expect.poll(() => ask(network, '0x5f')).toBe('null');
  });

  it('returns the null of the highest node for a block that no node has yet', async () => {
    const [behind, ahead] = [await nodeAt(90), await nodeAt(100)];
    const network = await startNetwork([behind.url, ahead.url], options);
    expect(await ask(network, '0x65')).toBe('null');
    expect(await ask(network, '0xffffffffffffffff')).toBe('null');
    expect([behind.requests.length, ahead.requests.length]).toEqual([0, 2]);
  });

  it('asks it for the first block and old blocks, but for no other tag', async () => {
    const [behind, ahead] = [await nodeAt(90), await nodeAt(100)];
    const network = await startNetwork([behind.url, ahead.url], options);
    for (const tag of ['latest', 'pending', 'safe', 'finalized', undefined]) {
      for (let round = 0; round < 4; round += 1) {
        expect(await ask(network, tag)).toBe('"from 100"');
      }
    }
    const early = await Promise.all(Array.from({ length: 8 }, () => ask(network, 'earliest')));
    const old = await Promise.all(Array.from({ length: 8 }, () => ask(network, '0x10')));
    expect(early.filter((text) => text === '"from 90"')).toHaveLength(4);
    expect(old.filter((text) => text === '"from 90"')).toHaveLength(4);
  });

  it('uses it fully once it has caught up, and reports its lag until then', async () => {
    const [behind, ahead] = [await nodeAt(90), await nodeAt(100)];
    const network = await startNetwork([behind.url, ahead.url], {
      ...options,
      limits: { probe_interval_ms: 20 },
    });
    await expect
      .poll(() =>
        network.events.some(
          (event) => event.kind === 'head' && event.upstream === 'node-0' && event.lag === 10,
        ),
      )
      .toBe(true);
    behind.answerProbes(atHeight(98));
    await expect.poll(() => network.status()[0]!.head?.number).toBe(98);
    const texts = await Promise.all(Array.from({ length: 8 }, () => ask(network, 'latest')));
    expect(new Set(texts)).toEqual(new Set(['"from 90"', '"from 100"']));
  });

  it('does not ask an svm node for a slot it has not reached', async () => {
    const [behind, ahead] = [await nodeAt(990), await nodeAt(1_000)];
    const network = await startNetwork([behind.url, ahead.url], {
      ...options,
      family: 'svm',
      lag_blocks: 64,
    });
    const from = (slot: number): Promise<string> =>
      network.call(callOf('getAccounts', `["x",{"minContextSlot":${slot}}]`), signal).then(textOf);
    for (let round = 0; round < 4; round += 1) await from(995);
    expect([behind.requests.length, ahead.requests.length]).toEqual([0, 4]);
    for (let round = 0; round < 4; round += 1) await from(990);
    expect(behind.requests.length).toBeGreaterThan(0);
  });
});

/** Fails calls, but not probes. */
const refuse: Behavior = ({ method }, response) => {
  if (method === 'eth_block') response.writeHead(500).end();
  return undefined;
};

describe('a network with a node that reports a high block and answers no calls', () => {
  const callAs = async (
    network: WatchedNetwork,
    account: string,
    block: unknown,
  ): Promise<string> =>
    textOf(await network.call(callOf('eth_block', JSON.stringify([block]), { account }), signal));

  it('asks the others after a few failures, although probes keep its breaker closed', async () => {
    const [liar, honest] = [await nodeAt(1_000_000), await nodeAt(100)];
    liar.behave(refuse);
    const network = await startNetwork([liar.url, honest.url], options);
    const texts: string[] = [];
    for (let round = 0; round < 20; round += 1) texts.push(await callAs(network, 'a', 'latest'));
    expect(network.status()[0]).toMatchObject({ isHealthy: true, breaker: 'closed' });
    expect(texts.slice(5)).toEqual(Array(15).fill('"from 100"'));
    expect(await callAs(network, 'a', '0x70')).toBe('null');
  });

  it('asks the others while its breaker is open, and returns their head', async () => {
    const [liar, honest] = [await nodeAt(1_000_000), await nodeAt(100)];
    liar.behave(refuse);
    const network = await startNetwork([liar.url, honest.url], {
      ...options,
      limits: { ...options.limits, breaker_open_ms: 60_000, breaker_max_open_ms: 60_000 },
    });
    expect(network.head()?.number).toBe(1_000_000);
    for (let round = 0; network.status()[0]!.breaker === 'closed'; round += 1) {
      await callAs(network, `account ${round}`, 'latest');
    }
    expect(await callAs(network, 'a', 'latest')).toBe('"from 100"');
    expect(await callAs(network, 'a', '0x70')).toBe('null');
    expect(network.head()?.number).toBe(100);
  });

  it('asks only it for an account whose calls it answers, while other accounts open its breaker', async () => {
    const [ahead, behind] = [await nodeAt(100), await nodeAt(10)];
    const network = await startNetwork([ahead.url, behind.url], {
      ...options,
      limits: { ...options.limits, breaker_open_ms: 60_000, breaker_max_open_ms: 60_000 },
    });
    expect(await callAs(network, 'a', 'latest')).toBe('"from 100"');
    ahead.behave(({ params }, response) => {
      if (params[0] === 'bad') response.writeHead(500).end();
      return params[0] === 'bad' ? undefined : '"from 100"';
    });
    for (let round = 0; network.status()[0]!.breaker === 'closed'; round += 1) {
      await callAs(network, `account ${round}`, 'bad');
    }
    for (let round = 0; round < 6; round += 1) {
      expect(await callAs(network, 'a', 'latest')).toBe('"from 100"');
    }
    expect(behind.requests).toHaveLength(0);
    expect(network.head()?.number).toBe(100);
  });

  it('never returns the null of the others for a block that it had when it answered', async () => {
    const [failing, behind] = [await nodeAt(100), await nodeAt(90)];
    const network = await startNetwork([failing.url, behind.url], options);
    expect(await callAs(network, 'a', 'latest')).toBe('"from 100"');
    failing.behave(refuse);
    for (let round = 0; round < 10; round += 1) {
      expect(await callAs(network, 'a', '0x5f')).toBe('status');
    }
    expect(await callAs(network, 'a', '0x65')).toBe('status');
    expect(await callAs(network, 'a', '0x5a')).toBe('"from 90"');
  });

  it('asks it again, and only it, once it answers', async () => {
    const [ahead, behind] = [await nodeAt(100), await nodeAt(90)];
    ahead.behave(refuse);
    const network = await startNetwork([ahead.url, behind.url], options);
    for (let round = 0; round < 6; round += 1) await callAs(network, 'a', 'latest');
    ahead.behave(() => '"from 100"');
    await expect.poll(() => callAs(network, 'a', 'latest')).toBe('"from 100"');
    for (let round = 0; round < 6; round += 1) {
      expect(await callAs(network, 'a', 'latest')).toBe('"from 100"');
    }
  });
});
