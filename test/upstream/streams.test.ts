import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Behavior } from './fake-node.ts';
import { askForStream, inParts, readAll, resultOf, send, streamOf } from './stream-support.ts';

describe('a large result of an HTTP upstream', () => {
  const result = resultOf(300_000);

  it('is streamed byte for byte to a call that accepts streams', async () => {
    const { text, broken, end } = await readAll(await askForStream(() => result));
    expect(text).toBe(result);
    expect(broken).toBeUndefined();
    expect(end).toEqual({ kind: 'whole', bytes: Buffer.byteLength(result) });
  });

  it('is returned whole, within its limit, to a call without streams', async () => {
    const whole = await askForStream(() => result, {
      streams: false,
      limits: { response_bytes: 1_000_000 },
    });
    expect(whole.kind === 'result' && whole.result.toString()).toBe(result);
    expect(await askForStream(() => result, { streams: false })).toMatchObject({
      kind: 'failure',
      cause: 'too_large',
    });
  });

  it('is streamed for any place of the id and any chunk size', async () => {
    const answers: Behavior[] = [
      inParts('{"jsonrpc":"2.0","resu', `lt":${result}`, (id) => `,"id":${id}}`),
      inParts(
        (id) => `\n{ "id" : ${id} , "error":null,"x":{"result":[]}, "result"`,
        ' : ',
        result,
        ' } ',
      ),
      inParts(
        (id) => `{"id":${id},"r\\u0065sult":${result.slice(0, 1_501)}`,
        result.slice(1_501),
        '}',
      ),
    ];
    for (const answer of answers) {
      expect((await readAll(await askForStream(answer))).text).toBe(result);
    }
  });

  it('is passed on in few chunks when it arrives in many tiny ones', async () => {
    const tiny = `[${'1,'.repeat(1_900)}1]`;
    const outcome = await askForStream(
      async ({ id }, response) => {
        response.flushHeaders();
        const body = `{"id":${id},"result":${tiny}}`;
        const framed = body.replaceAll(/./gs, (byte) => `1\r\n${byte}\r\n`);
        response.socket!.end(`${framed}0\r\n\r\n`);
        return undefined;
      },
      { limits: { stream_from_bytes: 1_000, stream_buffer_bytes: 200_000 } },
    );
    const chunks: Buffer[] = [];
    for await (const chunk of streamOf(outcome)) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(tiny);
    expect(chunks.length).toBeLessThan(100);
  });

  it('starts before the response is complete', async () => {
    const rest = Promise.withResolvers<void>();
    const outcome = await askForStream(async ({ id }, response) => {
      response.write(`{"id":${id},"result":[${'1,'.repeat(600)}`);
      await rest.promise;
      response.end('1]}');
      return undefined;
    });
    const reader = streamOf(outcome)[Symbol.asyncIterator]();
    expect((await reader.next()).value?.toString()).toBe(`[${'1,'.repeat(600)}`);
    rest.resolve();
    expect((await reader.next()).value?.toString()).toBe('1]');
    expect((await reader.next()).done).toBe(true);
  });

  it('starts at once when its length is announced', async () => {
    const { text } = await readAll(
      await askForStream(async ({ id }, response) => {
        const body = `{"id":${id},"result":${result}}`;
        response.setHeader('content-length', Buffer.byteLength(body));
        await send(response, body.slice(0, 20));
        response.end(body.slice(20));
        return undefined;
      }),
    );
    expect(text).toBe(result);
  });

  it('is decompressed', async () => {
    const { text } = await readAll(
      await askForStream(({ id }, response) => {
        response.setHeader('content-encoding', 'gzip');
        response.end(gzipSync(`{"id":${id},"result":${result}}`));
        return undefined;
      }),
    );
    expect(text).toBe(result);
  });

  it('returns small results, errors and nulls whole', async () => {
    expect(await askForStream(() => 'null')).toMatchObject({ kind: 'result' });
    expect(
      await askForStream(inParts((id) => `{"id":${id},"result":null${' '.repeat(2_000)}}`)),
    ).toMatchObject({
      kind: 'result',
    });
    const data = 'x'.repeat(5_000);
    expect(
      await askForStream(
        inParts(
          (id) => `{"result":null,"id":${id},"error":{"code":3,"message":"no","data":"${data}"}}`,
        ),
      ),
    ).toMatchObject({ kind: 'error', error: { code: 3, message: 'no', data } });
  });
});
