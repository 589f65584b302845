import { describe, expect, it } from 'vitest';
import { answer } from '../../bench/node/answer.ts';
import { workloads } from '../../bench/workloads.ts';
import { validateParams, validateResult } from '../../generated/validators.js';

type Name = keyof typeof validateParams;
interface Call {
  readonly method: Name;
  readonly params: unknown;
}

const callsOf = (body: string): readonly Call[] => [JSON.parse(body) as Call | Call[]].flat();

describe('the workloads of the benchmark', () => {
  it.each(workloads)(
    '$name: the fake node answers what counts as right',
    ({ body, isRight, min_bytes }) => {
      const text = answer(body);
      expect(isRight(JSON.parse(text))).toBe(true);
      expect(text.length).toBeGreaterThanOrEqual(min_bytes);
    },
  );

  it.each(workloads)('$name: an error does not count as a correct answer', ({ body, isRight }) => {
    const error = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'broken' } };
    expect(isRight(callsOf(body).length > 1 ? [error] : error)).toBe(false);
  });

  it.each(workloads)('$name: params and results are those of the document', ({ name, body }) => {
    const answers = [JSON.parse(answer(body)) as { result?: unknown }].flat();
    for (const [index, { method, params }] of callsOf(body).entries()) {
      const violations = validateParams[method](params);
      if (name === 'invalid params') expect(violations).not.toEqual([]);
      else {
        expect(violations).toEqual([]);
        expect(validateResult[method](answers[index]?.result)).toEqual([]);
      }
    }
  });

  it('a small result is about 1 KB, a large one about 1 MB', () => {
    const sizes = new Map(workloads.map(({ name, body }) => [name, answer(body).length]));
    const [small, large] = [sizes.get('small call'), sizes.get('1 MB result')];
    expect(small).toBeGreaterThan(900);
    expect(small).toBeLessThan(1_100);
    expect(large).toBeGreaterThan(1_000_000);
    expect(large).toBeLessThan(1_100_000);
  });
});
