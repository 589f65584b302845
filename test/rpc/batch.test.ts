import { describe, expect, it } from 'vitest';
import { err, ok, PASSED, type Result } from '../../src/errors/result.ts';
import type { Outcome } from '../../src/rpc/call.ts';
import { composeError } from '../../src/rpc/compose.ts';
import { readMessage, type Message } from '../../src/rpc/message.ts';
import { errorOf, errors, send, trackedCharge, type Reply } from './support.ts';

const call = (id: number, method = 'echo'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":[${id}]}`;
const ids = (reply: Reply): unknown[] => (reply.body as { id: unknown }[]).map(({ id }) => id);

const reasonsIn = (reply: Reply): unknown[] =>
  (reply.body as { error?: { data: { reason: string } } }[]).map(
    ({ error }) => error?.data.reason ?? 'ok',
  );
/** A result of that many bytes. */
const resultOf = (bytes: number): Buffer => Buffer.from(JSON.stringify('x'.repeat(bytes - 2)));
const small = { request_depth: 64, batch_calls: 10, batch_concurrency: 3, response_bytes: 1_000 };

describe('a batch', () => {
  it('is answered in order, with status 200 whatever the responses are', async () => {
    const reply = await send(
      `[${call(1)}, 1, ${call(2, 'fail')},${call(3, 'nope')},{"foo":"boo"}]`,
    );
    expect(reply.status).toBe(200);
    expect(ids(reply)).toEqual([1, null, 2, 3, null]);
    const codes = (reply.body as { error?: { code: number } }[]).map(({ error }) => error?.code);
    expect(codes).toEqual([undefined, -32600, -32000, -32601, -32600]);
  });

  it('of malformed JSON gets one parse error', async () => {
    const reply = await send(`[${call(1)},{"jsonrpc":"2.0","method"]`);
    expect(reply).toMatchObject({ status: 400, body: { id: null, error: { code: -32700 } } });
  });

  it('that is empty gets one invalid request error', async () => {
    const reply = await send('[]');
    expect(reply).toMatchObject({ status: 400, body: { id: null, error: { code: -32600 } } });
  });

  it('gets no responses to its notifications', async () => {
    const notification = '{"jsonrpc":"2.0","method":"echo"}';
    expect(ids(await send(`[${notification},${call(1)},${notification}]`))).toEqual([1]);
    expect(await send(`[${notification},${notification}]`)).toMatchObject({
      status: 204,
      text: '',
    });
  });

  it('over the limit is refused with 413 and an array of one', async () => {
    const reply = await send(`[${Array(11).fill(call(1)).join()}]`);
    expect(reply).toMatchObject({
      status: 413,
      body: [
        { id: null, error: { code: -32600, data: { reason: 'batch_too_large', limitCalls: 10 } } },
      ],
    });
    expect((await send(`[${Array(10).fill(call(1)).join()}]`)).status).toBe(200);
  });

  it('of more calls than allowed is not read to its end', async () => {
    const invalid = `[${Array(11).fill('1').join()},"unread`;
    expect((await send(invalid)).status).toBe(413);
    expect((await send(invalid.replace('1,', ''))).status).toBe(400);
  });

  it.each(['1', '{}', '{"method":5}'])(
    'of many elements that are invalid and have no id gets one error: %s',
    (element) => {
      const limits = { request_depth: 64, batch_calls: 1_000 };
      const read = (count: number): Message =>
        readMessage(Buffer.from(`[${call(1)},${Array(count).fill(element).join()}]`), limits);
      expect(read(10)).toMatchObject({ kind: 'batch' });
      expect(read(11)).toEqual({
        kind: 'unreadable',
        reason: 'invalid_request',
        detail: 'expected requests with an id, got more than 10 invalid elements without one',
      });
    },
  );

  it('runs with bounded concurrency, and stops when the caller has left', async () => {
    let running = 0;
    let max = 0;
    let started = 0;
    const caller = new AbortController();
    const texts = Array.from({ length: 10 }, (_, id) => call(id)).join();
    await send(
      `[${texts}]`,
      {
        backend: async ({ rawParams }) => {
          started += 1;
          running += 1;
          max = Math.max(max, running);
          if (started === 5) caller.abort();
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return ok(rawParams);
        },
      },
      caller.signal,
    );
    expect({ max, started }).toEqual({ max: 3, started: 5 });
  });

  it('counts each element against the rate limit, invalid ones and notifications included', async () => {
    let left = 3;
    const throttle = (): Result<undefined> =>
      left-- > 0 ? PASSED : err(errors.fail('rate_limited'));
    const reply = await send(`[1,{"jsonrpc":"2.0","method":"echo"},${call(1)},${call(2)}]`, {
      throttle,
    });
    const body = reply.body as { error?: { code: number } }[];
    expect(body.map(({ error }) => error?.code)).toEqual([-32600, undefined, -32005]);
  });

  it('asks the rate limit no more once it has refused a call, and repeats that error', async () => {
    const error = errors.fail('rate_limited', { data: { retryAfterMs: 40 } });
    const outcomes: string[] = [];
    let asked = 0;
    const reply = await send(`[${Array.from({ length: 10 }, (_, id) => call(id)).join()}]`, {
      throttle: () => {
        asked += 1;
        return asked <= 2 ? PASSED : err(error);
      },
      observe: ({ method, outcome }) => outcomes.push(`${method} ${outcome}`),
    });
    expect(asked).toBe(3);
    const refused = [2, 3, 4, 5, 6, 7, 8, 9].map((id) =>
      composeError(Buffer.from(String(id)), error, 'r-1').toString(),
    );
    const answered = [0, 1].map((id) => `{"jsonrpc":"2.0","id":${id},"result":[${id}]}`);
    expect(reply.text).toBe(`[${[...answered, ...refused].join()}]`);
    expect(outcomes.filter((outcome) => outcome === 'echo rate_limited')).toHaveLength(8);
    expect(outcomes).toHaveLength(10);
  });

  it('sends no more calls once a response did not fit, and charges those that were sent', async () => {
    const charges = [1, 2].map(() => trackedCharge(80));
    const sent: unknown[] = [];
    const reply = await send(`[${[1, 2, 3, 4].map((id) => call(id)).join()}]`, {
      limits: { ...small, batch_concurrency: 1 },
      backend: async ({ params: [id] }) => {
        sent.push(id);
        return { ...ok(resultOf(id === 2 ? 900 : 300)), charge: charges[sent.length - 1]! };
      },
    });
    expect(sent).toEqual([1, 2]);
    expect(reasonsIn(reply)).toEqual(['ok', ...Array(3).fill('response_too_large')]);
    expect((reply.body as object[])[3]).toMatchObject({
      id: 4,
      error: { data: { limitBytes: 1_000 } },
    });
    expect(charges.map(({ ended }) => ended)).toEqual([['settled'], ['settled']]);
    expect(reply.credits).toBe(160);
  });

  it('sends no more calls once no response can fit', async () => {
    const framing = `{"jsonrpc":"2.0","id":1,"result":}`.length;
    for (const [left_bytes, expected] of [
      [34, 1],
      [35, 2],
    ]) {
      let sent = 0;
      await send(`[${call(1)},${call(2)},${call(3)}]`, {
        limits: { ...small, batch_concurrency: 1 },
        backend: async () => {
          sent += 1;
          return ok(sent === 1 ? resultOf(1_000 - framing - left_bytes!) : Buffer.from('0'));
        },
      });
      expect(sent).toBe(expected);
    }
  });

  it('delivers and charges responses that fit although one before them did not', async () => {
    const charges = [1, 2, 3].map(() => trackedCharge(80));
    const late = Promise.withResolvers<undefined>();
    const reply = await send(`[${call(1)},${call(2)},${call(3)}]`, {
      limits: small,
      backend: async ({ params: [id] }) => {
        if (id !== 2) await late.promise;
        else setImmediate(() => late.resolve(undefined));
        return { ...ok(resultOf(id === 2 ? 1_100 : 300)), charge: charges[(id as number) - 1]! };
      },
    });
    expect(reasonsIn(reply)).toEqual(['ok', 'response_too_large', 'ok']);
    expect(charges.map(({ ended }) => ended)).toEqual([['settled'], ['settled'], ['settled']]);
  });
});

describe('a single response', () => {
  it('over the size limit becomes an error, and is charged', async () => {
    const charge = trackedCharge(80);
    const backend = async (): Promise<Outcome> => ({
      ...ok(Buffer.from(JSON.stringify('x'.repeat(200_000)))),
      charge,
    });
    const reply = await send(call(1), { backend });
    expect(reply).toMatchObject({ status: 200, credits: 80 });
    expect(errorOf(reply)).toMatchObject({ code: -32003, data: { reason: 'response_too_large' } });
    expect(charge.ended).toEqual(['settled']);
  });
});
