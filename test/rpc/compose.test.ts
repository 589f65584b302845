import { describe, expect, it } from 'vitest';
import { answerBatch, composeError } from '../../src/rpc/compose.ts';
import { outcomeFor } from '../../src/upstream/json-rpc.ts';
import { SlicedResponse } from '../../src/upstream/sliced-response.ts';
import { errors } from './support.ts';

/** What a caller is sent when a node answers with this error. */
function passOn(error: string): string {
  const answer = Buffer.from(`{"jsonrpc":"2.0","id":1,"error":${error}}`);
  const outcome = outcomeFor(1, new SlicedResponse(answer, 100).next()!);
  if (outcome.kind !== 'error') throw new Error(outcome.kind);
  return composeError(Buffer.from('7'), errors.fromNode(outcome.error), 'r-1').toString();
}

describe("a node's error", () => {
  it('is passed on with every byte of its data, integers beyond 2^53 among them', () => {
    for (const data of ['{"slot":18446744073709551615, "x":[1.0,1e400]}', '18446744073709551615']) {
      expect(passOn(`{"data":${data},"code":-32016,"message":"no \\"slot\\""}`)).toBe(
        `{"jsonrpc":"2.0","id":7,"error":{"code":-32016,"message":"no \\"slot\\"","data":${data}}}`,
      );
    }
  });

  it('has no data where the node gave none, and the last where it gave several', () => {
    const head = '{"jsonrpc":"2.0","id":7,"error":{"code":-32016,"message":"no"';
    expect(passOn('{"code":-32016,"message":"no"}')).toBe(`${head}}}`);
    expect(passOn('{"data":1,"code":-32016,"data":null,"message":"no"}')).toBe(
      `${head},"data":null}}`,
    );
  });
});

describe('the answer to a batch', () => {
  const answerOf = (chunks: readonly Buffer[]): readonly Buffer[] =>
    answerBatch(chunks.map((chunk) => ({ body: [chunk], credits: 0 }))).body;

  it('joins small responses, because each chunk is sent by itself', () => {
    const responses = Array.from({ length: 1_000 }, (_, id) => Buffer.from(`{"id":${id}}`));
    const body = answerOf(responses);
    expect(body).toHaveLength(1);
    expect(String(body[0])).toBe(`[${responses.join()}]`);
  });

  it('does not copy large responses', () => {
    const large = Buffer.alloc(100_000, '1');
    const body = answerOf([Buffer.from('{}'), large, Buffer.from('{}'), Buffer.from('{}')]);
    expect(body.map(String)).toEqual(['[{},', String(large), ',{},{}]']);
    expect(body[1]).toBe(large);
  });
});
