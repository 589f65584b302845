import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Behavior } from './fake-node.ts';
import { askForStream, breakAfter, inParts, readAll, resultOf, send } from './stream-support.ts';

describe('a stream that fails', () => {
  const begin = (id: number): string => `{"id":${id},"result":["${'x'.repeat(2_000)}"`;
  const rows: [what: string, behavior: Behavior, cause: string, stream_idle_ms?: number][] = [
    ['a connection that breaks', breakAfter(begin), 'connection'],
    ['a body that ends early', inParts(begin, ',1'), 'malformed'],
    ['invalid JSON', inParts(begin, ',,1]}'), 'malformed'],
    ['invalid UTF-8', bytesAfter(begin, [0x2c, 0x22, 0xff, 0x22, 0x5d, 0x7d]), 'malformed'],
    ['too many levels', inParts(begin, ',', '['.repeat(600)), 'too_deep'],
    ['text after the response', inParts(begin, ']} {}'), 'malformed'],
    [
      'another id at the end',
      inParts(`{"result":["${'x'.repeat(2_000)}"]`, ',"id":99}'),
      'malformed',
    ],
    ['no id', inParts(`{"result":["${'x'.repeat(2_000)}"]`, '}'), 'malformed'],
    ['an error after the result', inParts(begin, '],"error":{"code":1}}'), 'malformed'],
    ['a second result', inParts(begin, '],"result":[]}'), 'malformed'],
    ['a node that stalls', stallAfter(begin), 'timeout', 300],
  ];

  it.each(rows)('%#: is cut by %s', async (_what, behavior, cause, stream_idle_ms = 60_000) => {
    const outcome = await askForStream(behavior, { limits: { stream_idle_ms } });
    const { broken, end } = await readAll(outcome);
    expect(broken).toMatchObject({ reason: cause });
    expect(end).toMatchObject({ kind: 'broken', cause });
  });

  it('is cut at the size limit, or rejected when its length is announced', async () => {
    const behavior: Behavior = () => resultOf(400_000);
    const limits = { stream_bytes: 100_000 };
    expect(await askForStream(behavior, { limits })).toMatchObject({ cause: 'too_large' });
    const { broken, end } = await readAll(
      await askForStream(
        inParts((id) => `{"id":${id},"result":${resultOf(400_000)}}`),
        { limits },
      ),
    );
    expect(broken).toMatchObject({ reason: 'too_large' });
    expect(end.bytes).toBeLessThan(200_000);
  });

  it('is cut when it takes too long', async () => {
    // Thousands of small chunks would be malformed before the time is over.
    const chunk = ',1'.repeat(100);
    const endless: Behavior = async ({ id }, response) => {
      response.write(begin(id));
      while (!response.destroyed) {
        await send(response, chunk);
        await nextTurn();
      }
      return undefined;
    };
    const limits = { stream_ms: 200 };
    const { end } = await readAll(await askForStream(endless, { limits }));
    expect(end).toMatchObject({ kind: 'broken', cause: 'timeout' });
  });

  it('fails and can be retried before the first byte', async () => {
    expect(
      await askForStream(inParts(`${' '.repeat(1_500)}{"id":99,`, '"result":[]}')),
    ).toMatchObject({
      kind: 'failure',
      cause: 'malformed',
    });
  });
});

function stallAfter(begin: (id: number) => string): Behavior {
  return ({ id }, response) => {
    response.write(begin(id));
    return new Promise(() => undefined);
  };
}

function bytesAfter(begin: (id: number) => string, bytes: readonly number[]): Behavior {
  return async ({ id }, response) => {
    await send(response, begin(id));
    response.end(Buffer.from(bytes));
    return undefined;
  };
}
