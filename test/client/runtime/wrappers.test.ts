import { describe, expect, test } from 'vitest';
import { TimeoutError } from '../../../generator/targets/client/runtime/client-error.ts';
import type { Answer, Transport } from '../../../generator/targets/client/runtime/transport.ts';
import { withLimit } from '../../../generator/targets/client/runtime/with-limit.ts';
import { withTimeout } from '../../../generator/targets/client/runtime/with-timeout.ts';
import { callOf, calm, rejection } from '../servers.ts';

const answer: Answer = { result: 'ok', response: null };

/** A transport whose calls stay open until the test answers them. */
function heldTransport() {
  const held: { readonly method: string; readonly finish: () => void }[] = [];
  const transport: Transport = ({ method }) =>
    new Promise((resolve) => {
      held.push({ method, finish: () => resolve(answer) });
    });
  return { held, transport };
}

/** A transport that never answers and heeds no signal. */
const deaf: Transport = () => new Promise(() => {});

describe('a time limit', () => {
  test('rejects with a TimeoutError that says the method and the time', async () => {
    const error = await rejection(withTimeout(deaf, 10)(callOf('slow'), calm));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ method: 'slow', timeoutMs: 10 });
  });

  test('aborts the call below it', async () => {
    let seen: AbortSignal | undefined;
    const transport: Transport = (_, { signal }) => {
      seen = signal;
      return deaf(_, { signal });
    };
    const error = await rejection(withTimeout(transport, 10)(callOf('slow'), calm));
    expect(seen?.reason).toBe(error);
  });

  test('passes on an abort with its own reason', async () => {
    const controller = new AbortController();
    const call = rejection(withTimeout(deaf, 1000)(callOf('m'), { signal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
  });

  test('makes no call when the signal has aborted before', async () => {
    const { held, transport } = heldTransport();
    const signal = AbortSignal.abort('never mind');
    expect(await rejection(withTimeout(transport, 1000)(callOf('m'), { signal }))).toBe(
      'never mind',
    );
    expect(held).toEqual([]);
  });

  test('may be Infinity, or longer than a timer can be', async () => {
    for (const timeoutMs of [Infinity, 2 ** 40]) {
      const { held, transport } = heldTransport();
      const call = withTimeout(transport, timeoutMs)(callOf('m'), calm);
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      held[0]!.finish();
      expect(await call).toBe(answer);
    }
  });

  test('leaves what the transport holds open to be closed', () => {
    let closed = false;
    const close = () => {
      closed = true;
    };
    withTimeout(Object.assign(deaf.bind(null), { close }), 10).close?.();
    expect(closed).toBe(true);
  });
});

describe('a limit of calls in flight', () => {
  const limit = { maxInFlight: 2, maxWaiting: 2, where: 'http://h' };

  test('lets the others wait in order of arrival', async () => {
    const { held, transport } = heldTransport();
    const limited = withLimit(transport, limit);
    const calls = ['a', 'b', 'c', 'd'].map((method) => limited(callOf(method), calm));
    await expect.poll(() => held.map(({ method }) => method)).toEqual(['a', 'b']);
    held[1]!.finish();
    await calls[1];
    await expect.poll(() => held.map(({ method }) => method)).toEqual(['a', 'b', 'c']);
    held[0]!.finish();
    await expect.poll(() => held.map(({ method }) => method)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('refuses one more than may wait', async () => {
    const limited = withLimit(heldTransport().transport, limit);
    for (const method of ['a', 'b', 'c', 'd']) void limited(callOf(method), calm);
    const error = await rejection(limited(callOf('e'), calm));
    expect(error).toMatchObject({ reason: 'too_many_waiting', where: 'http://h' });
  });

  test('gives the place of a failed call to the next', async () => {
    let calls = 0;
    const failing: Transport = async () => {
      calls += 1;
      throw new Error('no');
    };
    const limited = withLimit(failing, limit);
    await Promise.allSettled(['a', 'b', 'c', 'd'].map((method) => limited(callOf(method), calm)));
    expect(calls).toBe(4);
  });

  test('forgets a waiting call that is aborted', async () => {
    const { held, transport } = heldTransport();
    const limited = withLimit(transport, limit);
    const controller = new AbortController();
    void limited(callOf('a'), calm);
    void limited(callOf('b'), calm);
    const aborted = rejection(limited(callOf('c'), { signal: controller.signal }));
    void limited(callOf('d'), calm);
    controller.abort('enough');
    expect(await aborted).toBe('enough');
    held[0]!.finish();
    await expect.poll(() => held.map(({ method }) => method)).toEqual(['a', 'b', 'd']);
  });
});
