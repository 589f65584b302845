import { describe, expect, it } from 'vitest';
import { NEVER } from '../../src/time/cancellation.ts';
import type { MessageTurns, Work } from '../../src/time/message-turns.ts';
import { Batches } from '../../src/upstream/http/batches.ts';
import { ResponseReader } from '../../src/upstream/http/response-reader.ts';
import { StreamSlots } from '../../src/upstream/http/stream-slots.ts';
import type { BatchedCall, StreamingOutcome } from '../../src/upstream/upstream.ts';
import { callOf, limits } from './support.ts';

/** Receives a response with an error; returns what waits for its turn and the outcomes. */
function receive(size: number): { waiting: [string, Work][]; outcomes: StreamingOutcome[] } {
  const waiting: [string, Work][] = [];
  const outcomes: StreamingOutcome[] = [];
  const turns = { run: (sender: string, work: Work) => waiting.push([sender, work]) };
  const reader = new ResponseReader({
    id: 7,
    call: callOf('eth_test', '[]', { account: 'a' }),
    signal: NEVER,
    limits,
    response_bytes: 2_000_000,
    slots: new StreamSlots(1),
    turns: turns as unknown as MessageTurns,
    source: {
      pause: () => undefined,
      resume: () => undefined,
      cancel: () => undefined,
      closeConnection: () => undefined,
    },
    monotonic_ms: () => 0,
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  const data = 'x'.repeat(size);
  reader.push(Buffer.from(`{"id":7,"error":{"code":1,"message":"x","data":"${data}"}}`));
  reader.end();
  return { waiting, outcomes };
}

describe('a response over HTTP', () => {
  it('is read at once if it is small', () => {
    const { waiting, outcomes } = receive(1_000);
    expect(waiting).toEqual([]);
    expect(outcomes).toMatchObject([{ kind: 'error', error: { code: 1 } }]);
  });

  it('waits for its turn among accounts if it is large', () => {
    const { waiting, outcomes } = receive(900_000);
    expect(waiting).toMatchObject([['a', expect.any(Function)]]);
    expect(outcomes).toEqual([]);
    const work = waiting[0]![1];
    const slices = [work(), work(), work(), work()];
    expect(slices).toEqual(['unfinished', 'unfinished', 'unfinished', undefined]);
    expect(outcomes).toMatchObject([{ kind: 'error', error: { code: 1 } }]);
  });
});

it('a large response to a batch waits for the turn of its account', async () => {
  const turn = Promise.withResolvers<void>();
  const accounts: string[] = [];
  const waiting: Promise<void>[] = [];
  const answers = [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: 'x'.repeat(20_000) }));
  const batches = new Batches({
    mode: 'on',
    attempt_ms: 1_000,
    response_depth: 10,
    monotonic_ms: () => 0,
    turn(account) {
      accounts.push(account);
      return turn.promise;
    },
    single: () => expect.unreachable(),
    send: async () => ({
      outcome: { kind: 'result', result: Buffer.from(JSON.stringify(answers)) },
      closeConnection: () => expect.unreachable(),
    }),
    takeIds: () => 1,
  });
  const calls: BatchedCall[] = [1, 2].map(() => ({
    call: callOf('eth_test', '[]', { account: 'a', onWaiting: (each) => void waiting.push(each) }),
    outcome: undefined,
  }));
  const sent = batches.send(calls, NEVER);
  await expect.poll(() => accounts).toEqual(['a']);
  expect(calls.map(({ outcome }) => outcome)).toEqual([undefined, undefined]);
  // The time of the attempt stops.
  expect(waiting).toEqual([turn.promise, turn.promise]);
  turn.resolve();
  await sent;
  expect(calls).toMatchObject([{ outcome: { kind: 'result' } }, { outcome: { kind: 'result' } }]);
});
