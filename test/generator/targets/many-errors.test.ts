import { expect, test } from 'vitest';
import type { ErrorModel } from '../../../generator/model/model.ts';
import { loadTargets } from '../../../generator/targets/index.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

type TargetName = 'client' | 'python' | 'errors';

/** Counts how often a target reads a row of the error catalog. */
async function countReads(target: TargetName, count: number): Promise<number> {
  const declared = Array.from({ length: count }, (_, code) => ({ code, message: `e${code}` }));
  const rows = declared.map((error) => ({
    ...error,
    name: `Row${error.code}`,
    reason: `r${error.code}`,
    status: error.code % 2 === 0 ? 503 : 400,
  }));
  const method = { ...(methodOf('a', true) as object), errors: declared };
  const model = await modelOf(documentOf([method], { 'x-errors': rows }));
  let reads = 0;
  const errors = model.errors.map(
    (row) =>
      new Proxy(row, {
        get(of, key) {
          reads += 1;
          return of[key as keyof ErrorModel];
        },
      }),
  );
  const [loaded] = await loadTargets([target]);
  await loaded!.render({ ...model, errors }, { source: 'openrpc.json' });
  return reads;
}

test.each(['client', 'python', 'errors'] as const)(
  'the target %s reads each error as often when there are more of them',
  async (target) => {
    const reads = await countReads(target, 50);
    expect(reads).toBeGreaterThan(50);
    expect(await countReads(target, 200)).toBeLessThan(4.2 * reads);
  },
);
