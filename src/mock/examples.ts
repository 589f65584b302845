import { isDeepStrictEqual } from 'node:util';
import type { DescribedError, DescribedExample, DescribedMethod } from '../described/service.ts';

/** Returns the first example with these params. */
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

/** Returns the error with a code, name or reason, or of the example with that name. */
export function findError(method: DescribedMethod, wanted: string): DescribedError | undefined {
  const shown = method.examples.flatMap(({ name, error }) =>
    error === undefined ? [] : [{ ...error, example: name }],
  );
  return (
    shown.find(({ example }) => example === wanted) ??
    [...shown, ...method.errors].find(
      ({ code, name, reason }) =>
        String(code) === wanted || name === wanted || (reason !== null && reason === wanted),
    )
  );
}

/** Lists the errors of a method for a message. */
export function listErrors({ errors }: DescribedMethod): string {
  const offered = errors.map(({ code, name, reason }) => reason ?? name ?? String(code));
  return offered.length === 0 ? 'none' : [...new Set(offered)].join(', ');
}
