import { describe, expect, it } from 'vitest';
import { Cancellation, NEVER, type CancelSignal } from '../../src/time/cancellation.ts';

describe('a cancellation', () => {
  it('calls each listener once, and none that was removed', () => {
    const cancellation = new Cancellation();
    const called: string[] = [];
    const listen = (name: string): (() => void) => {
      const listener = (): void => void called.push(name);
      cancellation.addEventListener('abort', listener);
      return () => cancellation.removeEventListener('abort', listener);
    };
    const removeFirst = listen('first');
    listen('second');
    const removeThird = listen('third');
    removeFirst();
    removeThird();
    listen('fourth');
    cancellation.abort('reason');
    cancellation.abort('again');
    listen('late');
    expect(called.toSorted()).toEqual(['fourth', 'second']);
    expect(cancellation).toMatchObject({ aborted: true, reason: 'reason' });
  });

  it('may be an AbortSignal or one that never fires', () => {
    const signals: CancelSignal[] = [new AbortController().signal, NEVER];
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});
