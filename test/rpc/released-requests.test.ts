import { expect, it } from 'vitest';
import type { Answer, Outcome } from '../../src/rpc/call.ts';
import { createRpc } from '../../src/rpc/core.ts';
import { isInMemory } from '../support/garbage.ts';
import { errors, trackedCharge } from './support.ts';

const call = '{"jsonrpc":"2.0","id":"an-id","method":"echo","params":["a"]}';

/** Answers a message of 1 MB; returns the answer, and the memory of the message. */
async function answerLarge(
  message: string,
  outcome: Outcome,
): Promise<{ readonly answer: Answer; readonly memory: WeakRef<object> }> {
  const rpc = createRpc({
    methods: new Map([['echo', { name: 'echo', validateParams: () => [] }]]),
    backend: () => Promise.resolve(outcome),
    errors,
    limits: { request_depth: 64, batch_calls: 10, batch_concurrency: 3, response_bytes: 100_000 },
    monotonic_ms: () => performance.now(),
    onError: () => undefined,
  });
  const bytes = Buffer.from(message.padEnd(1_000_000));
  const { signal } = new AbortController();
  const context = { requestId: 'r-1', signal, streams: true };
  const answer = await rpc.answer(rpc.read(bytes), 'caller', context);
  return { answer, memory: new WeakRef(bytes.buffer) };
}

it.each([
  ['a call', call],
  ['a batch', `[${call},${call}]`],
  ['a batch with a long id', `[${call.replace('an-id', 'x'.repeat(70_000))}]`],
])('keeps nothing of %s until its response is delivered', async (_, message) => {
  const charge = trackedCharge(5);
  const outcome: Outcome = { ok: true, value: Buffer.from('1'), charge };
  const { answer, memory } = await answerLarge(message, outcome);
  await expect.poll(() => isInMemory(memory)).toBe(false);
  expect(charge.ended).toEqual([]);
  answer.settle!('complete');
  expect(charge.ended).not.toEqual([]);
});

it('keeps nothing of a call until its result has been streamed', async () => {
  const { promise: ended } = Promise.withResolvers<'complete'>();
  const value = Object.assign(
    (async function* result() {
      yield Buffer.from('1');
    })(),
    { ended },
  );
  const { answer, memory } = await answerLarge(call, { ok: true, value });
  await expect.poll(() => isInMemory(memory)).toBe(false);
  const chunks: Buffer[] = [];
  for await (const chunk of answer.stream!) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('{"jsonrpc":"2.0","id":"an-id","result":1}');
});
