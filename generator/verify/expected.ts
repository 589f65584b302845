import { isObject, type Json } from '../../common/json/value.ts';
import type { DescribedFailure } from './report.ts';

/** A failure that is known: one check of one method. */
export interface ExpectedFailure {
  readonly check: string;
  /** Null for messages that are about no method. */
  readonly method: string | null;
  readonly reason: string;
}

/** Reads a list of expected failures; undefined if it is not one. */
export function readExpected(value: Json): readonly ExpectedFailure[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const isEntry = (each: Json): boolean =>
    isObject(each) &&
    typeof each['check'] === 'string' &&
    (each['method'] === null || typeof each['method'] === 'string') &&
    typeof each['reason'] === 'string' &&
    each['reason'].trim() !== '';
  const list = value as readonly Json[];
  return list.every(isEntry) ? (list as unknown as readonly ExpectedFailure[]) : undefined;
}

/** Separates expected failures from others, and finds the expected ones that did not occur. */
export function compareExpected(
  failures: readonly DescribedFailure[],
  expected: readonly ExpectedFailure[],
) {
  const isSame = (entry: ExpectedFailure, { check, method }: DescribedFailure): boolean =>
    entry.check === check && entry.method === method;
  return {
    unexpected: failures.filter((each) => !expected.some((entry) => isSame(entry, each))),
    known: expected.filter((entry) => failures.some((each) => isSame(entry, each))),
    passed: expected.filter((entry) => !failures.some((each) => isSame(entry, each))),
  };
}
