import { describe, expect, it } from 'vitest';
import { NEVER } from '../../src/time/cancellation.ts';
import { ByteStream } from '../../src/upstream/http/byte-stream.ts';
import { fakeTimers } from '../support/fake-timers.ts';
import { fakeClock } from './clock.ts';

/** A stream of at most 1,000 ms that pauses its source at 10 unread bytes, and ends when idle for 300 ms. */
function rig(isWaiting = () => false) {
  const passTimers = fakeTimers();
  const clock = fakeClock();
  const stream = new ByteStream({
    source: {
      isWaiting,
      pause: () => undefined,
      resume: () => undefined,
      cancel: () => undefined,
    },
    signal: NEVER,
    buffer_bytes: 10,
    idle_ms: 300,
    stream_ms: 1_000,
    monotonic_ms: () => clock.monotonic_ms(),
  });
  const reader = stream[Symbol.asyncIterator]();
  return {
    stream,
    push: () => stream.push(Buffer.alloc(10)),
    read: () => reader.next(),
    pass(time_ms: number) {
      clock.pass(time_ms);
      passTimers(time_ms);
    },
  };
}

describe('the end of a stream that is not complete in time', () => {
  it('is due to a reader that delayed the source, even if it reads everything at the end', async () => {
    const { stream, push, read, pass } = rig();
    for (let round = 0; round < 4; round += 1) {
      push();
      pass(200);
      await read();
    }
    const last = read();
    pass(200);
    expect(await stream.ended).toMatchObject({ kind: 'broken', cause: 'aborted' });
    await expect(last).rejects.toThrow('incomplete after 1000 ms');
  });

  it('is due to a source that a reader hardly delayed', async () => {
    const { stream, push, read, pass } = rig();
    for (let round = 0; round < 4; round += 1) {
      push();
      pass(20);
      await read();
      pass(180);
    }
    pass(200);
    expect(await stream.ended).toMatchObject({ kind: 'broken', cause: 'timeout' });
  });

  it.each([
    [true, 'aborted'],
    [false, 'timeout'],
  ])('is due to the reader if its other work comes first (%s)', async (isWaiting, cause) => {
    const { stream, push, read, pass } = rig(() => isWaiting);
    push();
    await read();
    pass(300);
    expect(await stream.ended).toMatchObject({ kind: 'broken', cause });
  });

  it('is due to a reader that does not take the end of a complete result', async () => {
    const { stream, push, read, pass } = rig();
    push();
    stream.complete();
    await read();
    pass(300);
    expect(await stream.ended).toMatchObject({ kind: 'broken', cause: 'aborted' });
  });

  it.each(['connection', 'malformed'] as const)(
    'is due to a reader that delayed a source until it cut the result (%s)',
    async (cause) => {
      const { stream, push, read, pass } = rig();
      for (let round = 0; round < 2; round += 1) {
        push();
        pass(20);
        await read();
      }
      push();
      stream.break(cause, 'other side closed');
      expect(await stream.ended).toMatchObject({ kind: 'broken', cause: 'aborted' });
    },
  );

  it('is due to a source that cuts the result of a reader that hardly delayed it', async () => {
    const { stream, push, read, pass } = rig();
    push();
    pass(20);
    await read();
    pass(200);
    push();
    pass(10);
    stream.break('connection', 'other side closed');
    expect(await stream.ended).toMatchObject({ kind: 'broken', cause: 'connection' });
  });

  it('is due to a limit that the result exceeds, however slow its reader is', async () => {
    const { stream, push, pass } = rig();
    push();
    pass(200);
    stream.break('too_large', 'response exceeds the size limit');
    expect(await stream.ended).toMatchObject({ kind: 'broken', cause: 'too_large' });
  });

  it('is due to a source that sends nothing', async () => {
    const { stream, push, read, pass } = rig();
    push();
    await read();
    pass(300);
    expect(await stream.ended).toMatchObject({ kind: 'broken', cause: 'timeout' });
  });
});
