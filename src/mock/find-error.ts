import type { DescribedError, DescribedMethod } from '../described/service.ts';

/** The error of a method that a caller asks for by code, name or reason, or by that of an example. */
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

/** What a caller may ask a method for, for a message. */
export function errorsOffered({ errors }: DescribedMethod): string {
  const offered = errors.map(({ code, name, reason }) => reason ?? name ?? String(code));
  return offered.length === 0 ? 'the document declares none' : [...new Set(offered)].join(', ');
}
