import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { joinWrites, writeNow } from '../../src/time/joined-writes.ts';

function recorder(): { readonly stream: Writable; readonly writes: string[] } {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => chunk as string).join(''));
      done();
    },
  });
  return { stream, writes };
}

describe('joined writes', () => {
  it('are written at once at the end of the turn, for each stream', async () => {
    const [first, second] = [recorder(), recorder()];
    let ends = 0;
    for (const text of ['a', 'b', 'c']) {
      for (const { stream } of [first, second]) {
        joinWrites(stream, () => (ends += 1));
        stream.write(text);
      }
      await Promise.resolve();
    }
    expect([first.writes, second.writes]).toEqual([[], []]);
    await nextTurn();
    expect([first.writes, second.writes]).toEqual([['abc'], ['abc']]);
    expect(ends).toBe(2);
  });

  it('are written early on demand, and joined again afterwards', async () => {
    const { stream, writes } = recorder();
    const send = (text: string): void => {
      joinWrites(stream);
      stream.write(text);
    };
    send('a');
    send('b');
    writeNow(stream);
    expect(writes).toEqual(['ab']);
    send('c');
    send('d');
    await nextTurn();
    expect(writes).toEqual(['ab', 'cd']);
  });

  it('do not outlive their stream', async () => {
    const { stream, writes } = recorder();
    joinWrites(stream);
    stream.write('a');
    stream.destroy();
    await nextTurn();
    expect(writes).toEqual([]);
  });
});
