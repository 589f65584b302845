import { describe, expect, it } from 'vitest';
import { err, ok, PASSED, type Result } from '../../src/errors/result.ts';
import type { Outcome } from '../../src/rpc/call.ts';
import { errorOf, errors, send, trackedCharge, type Reply } from './support.ts';

const call = (id: number, method = 'echo'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":[${id}]}`;
const ids = (reply: Reply): unknown[] => (reply.body as { id: unknown }[]).map(({ id }) => id);

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

  it('gets an uncharged error for each response beyond its total size limit', async () => {
    const charges = [1, 2, 3].map(() => trackedCharge(80));
    let next = 0;
    const reply = await send(`[${call(1)},${call(2)},${call(3)}]`, {
      limits: { request_depth: 64, batch_calls: 10, batch_concurrency: 1, response_bytes: 1_000 },
      backend: async ({ params }) => ({
        ...ok(Buffer.from(JSON.stringify('x'.repeat(params[0] === 2 ? 900 : 300)))),
        charge: charges[next++]!,
      }),
    });
    const body = reply.body as { id: number; error?: { code: number; data: object } }[];
    expect(body.map(({ error }) => error?.code)).toEqual([undefined, -32003, undefined]);
    expect(body[1]!.error!.data).toMatchObject({ reason: 'response_too_large', limitBytes: 1_000 });
    expect(charges.map(({ ended }) => ended)).toEqual([['settled'], ['released'], ['settled']]);
    expect(reply.credits).toBe(160);
  });
});

describe('a single response', () => {
  it('over the size limit becomes an uncharged error', async () => {
    const charge = trackedCharge(80);
    const backend = async (): Promise<Outcome> => ({
      ...ok(Buffer.from(JSON.stringify('x'.repeat(200_000)))),
      charge,
    });
    const reply = await send(call(1), { backend });
    expect(reply).toMatchObject({ status: 200, credits: 0 });
    expect(errorOf(reply)).toMatchObject({ code: -32003, data: { reason: 'response_too_large' } });
    expect(charge.ended).toEqual(['released']);
  });
});
