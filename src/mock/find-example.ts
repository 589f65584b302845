import { isDeepStrictEqual } from 'node:util';
import type { DescribedExample } from '../described/service.ts';

/** The first example with these params; a parameter left out is left out in both. */
export function findExample(
  examples: readonly DescribedExample[],
  params: readonly unknown[],
): DescribedExample | undefined {
  const wanted = withoutTail(params);
  return examples.find((example) => isDeepStrictEqual(withoutTail(example.params), wanted));
}

function withoutTail(params: readonly unknown[]): readonly unknown[] {
  return params.slice(0, params.findLastIndex((value) => value !== undefined) + 1);
}
