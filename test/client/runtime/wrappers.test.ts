import { describe, expect, test } from 'vitest';
import { TimeoutError, TransportError } from '../../../generator/targets/client/runtime/errors.ts';
import type { Answer, Transport } from '../../../generator/targets/client/runtime/transport.ts';
import { type Retry, withRetry } from '../../../generator/targets/client/runtime/with-retry.ts';
import { withTimeout } from '../../../generator/targets/client/runtime/with-timeout.ts';
import { fakeTimers } from '../../support/fake-timers.ts';
import { callOf, calm, rejection } from '../servers.ts';

const answer: Answer = { result: 'ok', response: null };

/** A transport whose calls stay pending until the test settles them. */
function heldTransport() {
  const held: { readonly method: string; readonly finish: () => void }[] = [];
  const transport: Transport = ({ method }) =>
    new Promise((resolve) => {
      held.push({ method, finish: () => resolve(answer) });
    });
  return { held, transport };
}

/** A transport that never responds and ignores its signal. */
const deaf: Transport = () => new Promise(() => {});

describe('a timeout', () => {
  test('rejects with a TimeoutError that names the method and the timeout', async () => {
    const error = await rejection(withTimeout(deaf, 10)(callOf('slow'), calm));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ method: 'slow', timeoutMs: 10 });
  });

  test('aborts the wrapped call', async () => {
    let seen: AbortSignal | undefined;
    const transport: Transport = (call, context) => {
      seen = context.signal;
      return deaf(call, context);
    };
    const error = await rejection(withTimeout(transport, 10)(callOf('slow'), calm));
    expect(seen?.reason).toBe(error);
  });

  test('passes on an abort with its reason', async () => {
    const controller = new AbortController();
    const call = rejection(
      withTimeout(deaf, 1000)(callOf('m'), { ...calm, signal: controller.signal }),
    );
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
  });

  test('makes no call if the signal is already aborted', async () => {
    const { held, transport } = heldTransport();
    const signal = AbortSignal.abort('never mind');
    expect(await rejection(withTimeout(transport, 1000)(callOf('m'), { ...calm, signal }))).toBe(
      'never mind',
    );
    expect(held).toEqual([]);
  });

  test('may be Infinity or longer than a timer’s maximum', async () => {
    const pass = fakeTimers();
    for (const timeoutMs of [Infinity, 2 ** 40]) {
      const { held, transport } = heldTransport();
      const call = withTimeout(transport, timeoutMs)(callOf('m'), calm);
      pass(86_400_000);
      held[0]!.finish();
      expect(await call).toBe(answer);
    }
  });

  test('can be closed like the transport', () => {
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

  test('wait with exponential backoff, jitter and a limit', async () => {
    const waits: number[] = [];
    const onRetry = ({ delayMs }: Retry) => waits.push(delayMs);
    await rejection(
      withRetry(failing, { ...options, onRetry, random: () => 0.5 })(lost(true), calm),
    );
    expect(waits).toEqual([4, 8, 8]);
  });

  test('call the hook with the error and the retry', async () => {
    const calls: Retry[] = [];
    const onRetry = (retry: Retry) => calls.push(retry);
    const call = lost(true);
    const error = await rejection(
      withRetry(failing, { ...options, retries: 1, onRetry })(call, calm),
    );
    expect(calls).toEqual([{ call, attempt: 1, delayMs: expect.any(Number), error }]);
  });

  test('pass the attempt to the transport', async () => {
    const attempts: number[] = [];
    const transport: Transport = (call, context) => {
      attempts.push(context.attempt);
      return failing(call, context);
    };
    await rejection(withRetry(transport, options)(lost(true), calm));
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  test('apply to calls that change nothing', async () => {
    let calls = 0;
    const transport: Transport = (call, context) => {
      calls += 1;
      return failing(call, context);
    };
    await rejection(withRetry(transport, options)(lost(false), calm));
    expect(calls).toBe(1);
  });

  test('end when the signal aborts', async () => {
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

  test('do not call the hook after a timeout', async () => {
    const calls: Retry[] = [];
    const transport: Transport = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const retried = withRetry(transport, { ...options, onRetry: (retry) => calls.push(retry) });
    const error = await rejection(withTimeout(retried, 10)(lost(true), calm));
    await new Promise((resolve) => setImmediate(resolve));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(calls).toEqual([]);
  });

  test('do not apply to errors that are not retryable', async () => {
    const error = new Error('mine');
    const transport: Transport = () => Promise.reject(error);
    expect(await rejection(withRetry(transport, options)(lost(true), calm))).toBe(error);
  });
});
