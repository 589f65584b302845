import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanMembers } from '../../src/json/ranges.ts';
import {
  memberNames,
  responseOf,
  syntaxFailure,
  type Response,
} from '../../src/upstream/json-rpc.ts';
import { SLICE_BYTES } from '../../src/json/sliced-members.ts';
import { SlicedResponse } from '../../src/upstream/sliced-response.ts';
import { MessageReading } from '../../src/upstream/socket/message-reading.ts';
import { atScale } from '../support/soak.ts';
import type { Failure } from '../../src/upstream/upstream.ts';

const DEPTH = 10;

/** Reads to the end; returns the number of slices too. */
function readAll<T>(reading: { next(): T | undefined }): { read: T; slices: number } {
  for (let slices = 1; ; slices += 1) {
    const read = reading.next();
    if (read !== undefined) return { read, slices };
  }
}

/** Reads a response in one piece. */
function readWhole(bytes: Buffer): Response | Failure {
  try {
    return responseOf(bytes, scanMembers(bytes, DEPTH, memberNames));
  } catch (error) {
    return syntaxFailure(error);
  }
}

/** Without the text of failures, in which the two scanners differ. */
function withoutDetail(response: Response | Failure): unknown {
  return response.kind === 'failure' ? response.cause : response;
}

const filler = ' '.repeat(SLICE_BYTES - 20);
/** Members of a response, some of them wrong, around fillers that put them across slices. */
const texts = fc
  .array(
    fc.tuple(
      fc.constantFrom('id', 'r\\u0065sult', 'result', 'error', 'jsonrpc', 'method', 'x'),
      fc.oneof(
        fc.json({ maxDepth: 3 }),
        fc.constantFrom('"2.0"', '1', 'null', '[[[[[[[[[[1]]]]]]]]]]', '{"code":3}', 'tru', ''),
      ),
      fc.constantFrom('', ' ', filler),
    ),
    { maxLength: 6 },
  )
  .map((members) => `{${members.map(([name, value, gap]) => `"${name}":${gap}${value}`).join()}}`);

describe('SlicedResponse', () => {
  it('reads the same as in one piece', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = Buffer.from(text + filler);
        const { read } = readAll(new SlicedResponse(bytes, DEPTH));
        expect(withoutDetail(read)).toEqual(withoutDetail(readWhole(bytes)));
      }),
      { numRuns: atScale(500, 100) },
    );
  });

  it('accepts a small result only if it is valid JSON, wherever it is', () => {
    const read = (result: string): Response | Failure =>
      readAll(new SlicedResponse(Buffer.from(`{"x":"${filler}","id":1,"result":${result}}`), DEPTH))
        .read;
    expect(read('{"number":"0x1"}')).toMatchObject({ outcome: { kind: 'result' } });
    expect(read('{"number":!}')).toMatchObject({ kind: 'failure', cause: 'malformed' });
  });

  it('reads a small response at once and a large one in slices', () => {
    const response = (length: number): Buffer => Buffer.from('{"id":1,"result":1}'.padEnd(length));
    expect(readAll(new SlicedResponse(response(SLICE_BYTES), DEPTH)).slices).toBe(1);
    expect(readAll(new SlicedResponse(response(SLICE_BYTES + 1), DEPTH)).slices).toBe(2);
    expect(readAll(new SlicedResponse(response(7 * SLICE_BYTES), DEPTH)).slices).toBe(7);
  });
});

describe('MessageReading', () => {
  it('finds the id of an unusable message in slices', () => {
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
    const message = Buffer.from(`{"x":${deep},"y":"${'x'.repeat(3 * SLICE_BYTES)}","id":7}`);
    const { read, slices } = readAll(new MessageReading(message, DEPTH));
    expect(read).toMatchObject({ id: '7', outcome: { kind: 'failure', cause: 'too_deep' } });
    expect(slices).toBe(4);
  });

  it.each([64, 65])('reads a response with %i members only if they are few', (count) => {
    const small = `{"id":7,${'"a":1,'.repeat(count - 2)}"result":1}`;
    expect(readAll(new SlicedResponse(Buffer.from(small), DEPTH)).read.kind).toBe(
      count === 64 ? 'response' : 'failure',
    );
    const others = `"a":1,`.repeat(count - 2);
    const text = Buffer.from(`{"id":7,${others}"result":"${'x'.repeat(SLICE_BYTES)}"}`);
    const { read } = readAll(new SlicedResponse(text, DEPTH));
    expect(withoutDetail(read)).toEqual(
      count === 64 ? expect.objectContaining({ id: '7' }) : 'malformed',
    );
  });

  it('stops at a message with a million members, and looks for no id behind them', () => {
    const text = Buffer.from(`{${'"a":1,'.repeat(1_000_000)}"id":7,"result":1}`);
    const { read, slices } = readAll(new MessageReading(text, DEPTH));
    expect(read).toMatchObject({ id: undefined, outcome: { cause: 'malformed' } });
    expect(slices).toBe(1);
  });
});
