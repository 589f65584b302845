import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { StreamBroken } from '../../src/upstream/http/byte-stream.ts';
import type { StreamingOutcome } from '../../src/upstream/upstream.ts';
import { startFakeNode } from './fake-node.ts';
import {
  askForStream,
  breakAfter,
  endless,
  readAll,
  send,
  small,
  streamOf,
} from './stream-support.ts';
import { fakeClock } from './clock.ts';
import { openAt, openUpstream, params } from './support.ts';

const compress = promisify(gzip);
const patient = { stream_idle_ms: 60_000, stream_ms: 60_000 };

describe('the reader of a stream', () => {
  it('is not the reason that it ends when the gateway closes the upstream', async () => {
    const node = await startFakeNode(endless());
    const clock = fakeClock();
    // The reader delays the stream from its first bytes on.
    const upstream = openAt(node.url, { ...small, stream_buffer_bytes: 1 }, clock);
    const call = { method: 'eth_test', params, streams: true };
    const stream = streamOf(await upstream.call(call, new AbortController().signal));
    clock.pass(30_000);
    await upstream.close();
    expect(await stream.ended).toMatchObject({ kind: 'broken', cause: 'interrupted' });
  });

  it('is not flooded by a compressed response', async () => {
    const plain = Buffer.alloc(1_000_000, 0x78);
    const drop = gzipSync(plain);
    const flood = Array.from({ length: 100 }, () => drop);
    const outcome = await askForStream(
      ({ id }, response) => {
        response.setHeader('content-encoding', 'gzip');
        const [head, tail] = [gzipSync(`{"id":${id},"result":"`), gzipSync('"}')];
        response.end(Buffer.concat([head, ...flood, tail]));
        return undefined;
      },
      { limits: { ...patient, stream_bytes: 200_000_000 } },
    );
    const before = memory();
    const reader = streamOf(outcome)[Symbol.asyncIterator]();
    let most = 0;
    for (let taken = 0; taken < 2_000_000;) {
      taken += (await reader.next()).value!.length;
      // Work for zlib that is queued behind all that the stream asks of it.
      await compress(plain);
      most = Math.max(most, memory());
    }
    expect(most - before).toBeLessThan(20_000_000);
    await reader.return!();
  });

  // The last bytes arrive while the reader is slow: behind a full stream, or a full decoder.
  it.each([
    { coding: 'identity', first_bytes: 20_000, taken_bytes: 19_000 },
    { coding: 'gzip', first_bytes: 60_000, taken_bytes: 1 },
  ])(
    'gets all of a response in $coding whose node has closed the idle connection',
    async ({ coding, first_bytes, taken_bytes }) => {
      const taken = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<void>();
      const length = coding === 'gzip' ? 75_000 : 30_000;
      const result = `"${randomBytes(length).toString('base64')}"`;
      const outcome = await askForStream(
        async ({ id }, response) => {
          const socket = response.socket!;
          socket.once('close', () => closed.resolve());
          const plain = Buffer.from(`{"id":${id},"result":${result}}`);
          const body = coding === 'gzip' ? gzipSync(plain) : plain;
          response.setHeader('content-encoding', coding);
          response.setHeader('content-length', body.length);
          response.write(body.subarray(0, first_bytes));
          await taken.promise;
          response.end(body.subarray(first_bytes), () => socket.end());
          return undefined;
        },
        { limits: { ...patient, stream_from_bytes: 10_000, stream_buffer_bytes: 10_000 } },
      );
      const reader = streamOf(outcome)[Symbol.asyncIterator]();
      const chunks: Buffer[] = [];
      while (Buffer.concat(chunks).length < taken_bytes) chunks.push((await reader.next()).value!);
      taken.resolve();
      await closed.promise;
      for (let next = await reader.next(); !next.done; next = await reader.next()) {
        chunks.push(next.value);
      }
      expect(Buffer.concat(chunks).toString()).toBe(result);
    },
  );

  it('slows the node down to its own pace', async () => {
    const sent = { bytes: 0 };
    const closed = Promise.withResolvers<void>();
    const outcome = await askForStream(endless(closed.resolve, sent), { limits: patient });
    const reader = streamOf(outcome)[Symbol.asyncIterator]();
    await reader.next();
    // A result several times as large, asked for later, arrives while the first one waits.
    const other = await askForStream(() => JSON.stringify('x'.repeat(64_000_000)), {
      limits: patient,
    });
    expect((await readAll(other)).end.kind).toBe('whole');
    const before = sent.bytes;
    // The kernel buffers in both directions.
    expect(before).toBeLessThan(16_000_000);
    for (let taken = 0; taken < 20_000_000;) taken += (await reader.next()).value!.length;
    expect(sent.bytes).toBeGreaterThan(before);
    await reader.return!();
    await closed.promise;
  });

  it('ends the exchange by leaving, canceling or stalling', async () => {
    const leave: ((outcome: StreamingOutcome, caller: AbortController) => unknown)[] = [
      (outcome) => streamOf(outcome)[Symbol.asyncIterator]().return!(),
      (_outcome, caller) => caller.abort(),
      () => undefined,
    ];
    for (const leaving of leave) {
      const closed = Promise.withResolvers<void>();
      const caller = new AbortController();
      const outcome = await askForStream(endless(closed.resolve), {
        signal: caller.signal,
        limits: { stream_idle_ms: 300 },
      });
      leaving(outcome, caller);
      expect(await streamOf(outcome).ended).toMatchObject({ kind: 'broken', cause: 'aborted' });
      await closed.promise;
    }
  });

  it('gets the failure even when it reads late', async () => {
    const outcome = await askForStream(
      breakAfter((id) => `{"id":${id},"result":["${'x'.repeat(2_000)}"`),
    );
    await streamOf(outcome).ended;
    await expect(streamOf(outcome)[Symbol.asyncIterator]().next()).rejects.toThrow(StreamBroken);
  });

  it('uses no more memory than its buffers with 32 slow readers of 50 MB each', async () => {
    const chunk = Buffer.from(`,"${'x'.repeat(65_533)}"`);
    const chunks = 763;
    const node = await startFakeNode(async ({ id }, response) => {
      response.write(`{"jsonrpc":"2.0","id":${id},"result":["x"`);
      for (let index = 0; index < chunks && !response.destroyed; index += 1) {
        await send(response, chunk);
      }
      response.end(']}');
      return undefined;
    });
    const upstream = openUpstream(node.url, {
      ...small,
      upstream_connections: 64,
      ...patient,
    });
    const { signal } = new AbortController();
    const outcomes = await Promise.all(
      Array.from({ length: 32 }, () =>
        upstream({ method: 'eth_test', params, streams: true }, signal),
      ),
    );
    const readers = outcomes.map((outcome) => streamOf(outcome)[Symbol.asyncIterator]());
    const before = memory();
    let most = 0;
    // One chunk each in turn, slowly at first, so that all are paused at once.
    for (let round = 0; round < 40; round += 1) {
      for (const reader of readers) await reader.next();
      await nextTurn();
      most = Math.max(most, memory());
    }
    expect(most - before).toBeLessThan(150_000_000);
    const [first, ...others] = readers;
    for (const reader of others) await reader.return!();
    while ((await first!.next()).done !== true) most = Math.max(most, memory());
    expect(most - before).toBeLessThan(150_000_000);
    expect(await streamOf(outcomes[0]!).ended).toEqual({
      kind: 'whole',
      bytes: chunks * chunk.length + 5,
    });
  });
});

/** Bytes of buffers outside the heap, which hold bodies. */
function memory(): number {
  return process.memoryUsage().arrayBuffers;
}
