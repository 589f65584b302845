import { describe, expect, it } from 'vitest';
import { ok } from '../../src/errors/result.ts';
import type { Answer, Outcome } from '../../src/rpc/call.ts';
import { createRpc } from '../../src/rpc/core.ts';
import { Cancellation } from '../../src/time/cancellation.ts';
import { errors } from './support.ts';

const CALLS = 100;
const RESULT: Outcome = ok(Buffer.from('1'));

/** Answers a batch whose calls take 1 ms each, by a clock that only they move. */
function answerBatch(answerCall: () => Promise<Outcome> | Outcome): {
  readonly answer: Promise<Answer>;
  readonly started: () => number;
  readonly takeTurn: () => void;
  readonly leave: () => void;
} {
  let now_ms = 0;
  let calls = 0;
  const turns: (() => void)[] = [];
  const signal = new Cancellation();
  const rpc = createRpc({
    methods: new Map([['echo', { name: 'echo', validateParams: () => [] }]]),
    backend: () => {
      calls += 1;
      now_ms += 1;
      return answerCall();
    },
    errors,
    limits: { request_depth: 8, batch_calls: CALLS, batch_concurrency: 8, response_bytes: 100_000 },
    monotonic_ms: () => now_ms,
    onError: () => undefined,
  });
  const request = '{"jsonrpc":"2.0","id":1,"method":"echo"}';
  const message = rpc.read(Buffer.from(`[${Array(CALLS).fill(request).join()}]`));
  const turn = (): Promise<void> => new Promise((resolve) => turns.push(resolve));
  const answer = rpc.answer(message, 'caller', { requestId: 'r-1', signal, turn });
  return {
    answer: Promise.resolve(answer),
    started: () => calls,
    takeTurn: () => turns.shift()!(),
    leave: () => signal.abort(),
  };
}

describe.each([
  ['at once', () => RESULT],
  ['by promises that are already resolved', () => Promise.resolve(RESULT)],
])('a batch whose calls are answered %s', (_, answerCall) => {
  it('waits for its next turn when it has taken its time', async () => {
    const batch = answerBatch(answerCall);
    for (let turn = 1; turn < CALLS; turn += 1) {
      await new Promise(setImmediate);
      expect(batch.started()).toBe(turn);
      batch.takeTurn();
    }
    const { body, status } = await batch.answer;
    expect(status).toBe(200);
    expect(JSON.parse(Buffer.concat(body).toString())).toHaveLength(CALLS);
  });

  it('starts no more calls if its caller leaves meanwhile', async () => {
    const batch = answerBatch(answerCall);
    await new Promise(setImmediate);
    batch.leave();
    batch.takeTurn();
    await batch.answer;
    expect(batch.started()).toBe(1);
  });
});
