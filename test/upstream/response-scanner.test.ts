import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseScanner } from '../../src/upstream/http/response-scanner.ts';

const ID = 7;

/** What passes as the result of a text that comes in chunks of the given sizes, and the flaw. */
function scan(
  text: Buffer,
  sizes: readonly number[],
  id = ID,
): { result: string; flaw: string | undefined } {
  const pieces: Buffer[] = [];
  const scanner = new ResponseScanner(id, 64, (bytes) => pieces.push(bytes));
  const told = (flaw: string | undefined): { result: string; flaw: string | undefined } => ({
    result: Buffer.concat(pieces).toString(),
    flaw,
  });
  let at = 0;
  for (let index = 0; at < text.length; index += 1) {
    const size = sizes[index % sizes.length]!;
    const flaw = scanner.feed(Buffer.from(text.subarray(at, at + size)));
    if (flaw !== undefined) return told(flaw);
    at += size;
  }
  return told(scanner.end());
}

const spaces = fc.stringMatching(/^[ \n\t\r]{0,3}$/);
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 });

/** A response whose members stand in any order with any space, and its result's bytes. */
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
  it('gives out the bytes of the result, whatever stands around them and wherever it is cut', () => {
    fc.assert(
      fc.property(responses, sizes, ({ text, result }, cuts) => {
        expect(scan(Buffer.from(text), cuts)).toEqual({ result, flaw: undefined });
      }),
      { numRuns: 3_000 },
    );
  });

  it('never takes for whole what was cut short, or is of another request', () => {
    fc.assert(
      fc.property(responses, sizes, fc.nat(), ({ text }, cuts, at) => {
        const whole = Buffer.from(text.trimEnd());
        expect(scan(whole.subarray(0, at % whole.length), cuts).flaw).toBeDefined();
        expect(scan(whole, cuts, ID + 1).flaw).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });
});
