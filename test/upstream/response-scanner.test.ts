import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/upstream/upstream.ts';
import { ResponseScanner } from '../../src/upstream/http/response-scanner.ts';

const ID = 7;

/** Scans a text in chunks of the given sizes; returns its result and the failure. */
function scan(
  text: Buffer,
  sizes: readonly number[],
  id = ID,
): { result: string; failed: Failure | undefined } {
  const pieces: Buffer[] = [];
  const scanner = new ResponseScanner(id, 64, (bytes) => pieces.push(bytes));
  const ended = (failed: Failure | undefined): ReturnType<typeof scan> => ({
    result: Buffer.concat(pieces).toString(),
    failed,
  });
  let at = 0;
  for (let index = 0; at < text.length; index += 1) {
    const size = sizes[index % sizes.length]!;
    const failed = scanner.feed(Buffer.from(text.subarray(at, at + size)));
    if (failed !== undefined) return ended(failed);
    at += size;
  }
  return ended(scanner.end());
}

const spaces = fc.stringMatching(/^[ \n\t\r]{0,3}$/);
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 });

/** A response with its members in any order and any space, and the bytes of its result. */
const responses = fc
  .tuple(
    fc.json({ maxDepth: 3 }),
    fc.shuffledSubarray(['jsonrpc', 'id', 'result', 'error', 'x'], { minLength: 5 }),
    spaces,
  )
  .map(([value, order, space]) => {
    const result = JSON.stringify(JSON.parse(value), null, space.length);
    const values: Record<string, string> = {
      jsonrpc: '"2.0"',
      id: String(ID),
      result,
      error: 'null',
      x: `{"result":[${value}],"id":9}`,
    };
    const members = order.map((name) => `${space}"${name}"${space}:${space}${values[name]!}`);
    return { text: `${space}{${members.join(`${space},`)}${space}}${space}`, result };
  });

describe('ResponseScanner', () => {
  it('passes on the bytes of the result for any member order, space and chunk size', () => {
    fc.assert(
      fc.property(responses, sizes, ({ text, result }, cuts) => {
        expect(scan(Buffer.from(text), cuts)).toEqual({ result, failed: undefined });
      }),
      { numRuns: 3_000 },
    );
  });

  it('rejects truncated responses and those to another request', () => {
    fc.assert(
      fc.property(responses, sizes, fc.nat(), ({ text }, cuts, at) => {
        const whole = Buffer.from(text.trimEnd());
        const truncated = whole.subarray(0, at % whole.length);
        expect(scan(truncated, cuts).failed).toMatchObject({ cause: 'malformed' });
        expect(scan(whole, cuts, ID - 1).failed).toMatchObject({ cause: 'malformed' });
        // The node has answered an earlier request twice.
        expect(scan(whole, cuts, ID + 1).failed).toMatchObject({ cause: 'interrupted' });
      }),
      { numRuns: 2_000 },
    );
  });

  it('rejects a response with too many members', () => {
    const text = Buffer.from(`{"id":7,${'"a":1,'.repeat(63)}"result":1}`);
    expect(scan(text, [100]).failed).toMatchObject({ cause: 'malformed' });
  });
});
