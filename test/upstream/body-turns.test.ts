import type { Dispatcher } from 'undici';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { NEVER } from '../../src/time/cancellation.ts';
import type { MessageTurns, Work } from '../../src/time/message-turns.ts';
import { BodyFlow } from '../../src/time/body-flow.ts';
import { openUpstream } from '../../src/upstream/open-upstream.ts';
import type { StreamingOutcome } from '../../src/upstream/upstream.ts';
import { startFakeNode } from './fake-node.ts';
import { callOf, limits, textOf } from './support.ts';

/** Turns that begin when the test calls them. */
function manualTurns(): { turns: MessageTurns; waiting: (() => void)[]; accounts: string[] } {
  const waiting: (() => void)[] = [];
  const accounts: string[] = [];
  const turns = {
    wait(account: string): Promise<void> {
      accounts.push(account);
      return new Promise((resolve) => waiting.push(resolve));
    },
    run(_: string, work: Work): void {
      while (work() === 'unfinished');
    },
  };
  return { turns: turns as unknown as MessageTurns, waiting, accounts };
}

async function readAll(outcome: StreamingOutcome): Promise<string> {
  if (outcome.kind !== 'stream') return textOf(outcome);
  const chunks: Buffer[] = [];
  for await (const chunk of outcome.stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it.each([true, false])('a large response is read in turns (streamed: %s)', async (streams) => {
  const result = `"${'x'.repeat(2_000_000)}"`;
  const node = await startFakeNode(({ method }) => (method === 'eth_large' ? result : '"small"'));
  const { turns, waiting, accounts } = manualTurns();
  const upstream = openUpstream(
    { url: node.url, headers: {} },
    { limits: { ...limits, response_bytes: 4_000_000 }, turns },
  );
  onTestFinished(() => upstream.close());
  let isDone = false;
  let waits = 0;
  const onWaiting = (): void => void (waits += 1);
  const large = upstream
    .call(callOf('eth_large', '[]', { account: 'a', streams, onWaiting }), NEVER)
    .then(readAll)
    .finally(() => (isDone = true));
  await expect.poll(() => waiting.length).toBe(1);
  // A small response, which arrives meanwhile, does not wait.
  const small = await upstream.call(callOf('eth_small', '[]', { account: 'b' }), NEVER);
  expect(textOf(small)).toBe('"small"');
  expect({ turns: waiting.length, isDone }).toEqual({ turns: 1, isDone: false });
  await expect.poll(() => waiting.shift()?.() ?? isDone, { interval: 1 }).toBe(true);
  expect(await large).toBe(result);
  expect(accounts.length).toBeGreaterThan(5);
  expect(new Set(accounts)).toEqual(new Set(['a']));
  expect(waits).toBeGreaterThan(5);
});

it('a body that its reader has paused stays paused after its turn', async () => {
  const { turns, waiting } = manualTurns();
  let isRead = true;
  const controller = { pause: () => (isRead = false), resume: () => (isRead = true) };
  const flow = new BodyFlow({
    controller: controller as unknown as Dispatcher.DispatchController,
    turns,
    readers: 'a',
  });
  flow.read(262_143);
  expect(isRead).toBe(true);
  flow.read(1);
  flow.pause();
  waiting.shift()!();
  await nextTurn();
  expect(isRead).toBe(false);
  flow.resume();
  expect(isRead).toBe(true);
  flow.pause();
  flow.read(262_144);
  flow.resume();
  expect(isRead).toBe(false);
  flow.end();
  waiting.shift()!();
  await nextTurn();
  // The connection may be used for another response.
  expect(isRead).toBe(false);
});
