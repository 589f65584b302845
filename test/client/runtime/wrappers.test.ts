import { describe, expect, test } from 'vitest';
import { TimeoutError, TransportError } from '../../../generator/targets/client/runtime/errors.ts';
import type { Answer, Transport } from '../../../generator/targets/client/runtime/transport.ts';
import { type Retry, withRetry } from '../../../generator/targets/client/runtime/with-retry.ts';
import { withTimeout } from '../../../generator/targets/client/runtime/with-timeout.ts';
import { fakeTimers } from '../../support/fake-timers.ts';
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
    const transport: Transport = (call, context) => {
      seen = context.signal;
      return deaf(call, context);
    };
    const error = await rejection(withTimeout(transport, 10)(callOf('slow'), calm));
    expect(seen?.reason).toBe(error);
  });

  test('passes on an abort with its own reason', async () => {
    const controller = new AbortController();
    const call = rejection(
      withTimeout(deaf, 1000)(callOf('m'), { ...calm, signal: controller.signal }),
    );
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
  });

  test('makes no call when the signal has aborted before', async () => {
    const { held, transport } = heldTransport();
    const signal = AbortSignal.abort('never mind');
    expect(await rejection(withTimeout(transport, 1000)(callOf('m'), { ...calm, signal }))).toBe(
      'never mind',
    );
    expect(held).toEqual([]);
  });

  test('may be Infinity, or longer than a timer can be', async () => {
    const pass = fakeTimers();
    for (const timeoutMs of [Infinity, 2 ** 40]) {
      const { held, transport } = heldTransport();
      const call = withTimeout(transport, timeoutMs)(callOf('m'), calm);
      pass(86_400_000);
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

describe('retries', () => {
  const lost = (reads: boolean) => ({ method: 'm', reads });
  const options = { retries: 3, backoffMs: 8, maxBackoffMs: 16 };
  const failing: Transport = async () => {
    throw new TransportError('unreachable', 'no', { retryable: true });
  };

  test('wait longer each time, with jitter, up to a bound', async () => {
    const waits: number[] = [];
    const onRetry = ({ delayMs }: Retry) => waits.push(delayMs);
    await rejection(
      withRetry(failing, { ...options, onRetry, random: () => 0.5 })(lost(true), calm),
    );
    expect(waits).toEqual([4, 8, 8]);
  });

  test('are told what failed, and what will be sent again', async () => {
    const told: Retry[] = [];
    const onRetry = (retry: Retry) => told.push(retry);
    const call = lost(true);
    const error = await rejection(
      withRetry(failing, { ...options, retries: 1, onRetry })(call, calm),
    );
    expect(told).toEqual([{ call, attempt: 1, delayMs: expect.any(Number), error }]);
  });

  test('count the attempts for what is below', async () => {
    const attempts: number[] = [];
    const transport: Transport = (call, context) => {
      attempts.push(context.attempt);
      return failing(call, context);
    };
    await rejection(withRetry(transport, options)(lost(true), calm));
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  test('are for calls that change nothing', async () => {
    let calls = 0;
    const transport: Transport = (call, context) => {
      calls += 1;
      return failing(call, context);
    };
    await rejection(withRetry(transport, options)(lost(false), calm));
    expect(calls).toBe(1);
  });

  test('end with the signal: nothing is sent once it has aborted', async () => {
    const controller = new AbortController();
    let calls = 0;
    const transport: Transport = async (call, context) => {
      calls += 1;
      return failing(call, context);
    };
    const call = rejection(
      withRetry(transport, { ...options, onRetry: () => controller.abort('enough') })(lost(true), {
        ...calm,
        signal: controller.signal,
      }),
    );
    expect(await call).toBe('enough');
    expect(calls).toBe(1);
  });

  test('are not told of where a time limit ended the call', async () => {
    const told: Retry[] = [];
    const transport: Transport = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const retried = withRetry(transport, { ...options, onRetry: (retry) => told.push(retry) });
    const error = await rejection(withTimeout(retried, 10)(lost(true), calm));
    await new Promise((resolve) => setImmediate(resolve));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(told).toEqual([]);
  });

  test('leave an error that will not pass as it is', async () => {
    const error = new Error('mine');
    const transport: Transport = () => Promise.reject(error);
    expect(await rejection(withRetry(transport, options)(lost(true), calm))).toBe(error);
  });
});
