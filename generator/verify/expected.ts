import { printExact } from '../../common/json/exact.ts';
import { isObject, type Json } from '../../common/json/value.ts';
import { canonicalText } from './message.ts';
import type { Failure } from './session.ts';

/** A failure that is known: one check of one method, for all calls or for those with some params. */
export interface ExpectedFailure {
  readonly check: string;
  /** Null for messages that call no method. */
  readonly method: string | null;
  /** Only calls with exactly these params. */
  readonly params?: Json;
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
    each['reason'].trim() !== '' &&
    Object.keys(each).every((key) => MEMBERS.has(key));
  const list = value as readonly Json[];
  return list.every(isEntry) ? (list as unknown as readonly ExpectedFailure[]) : undefined;
}

const MEMBERS: ReadonlySet<string> = new Set(['check', 'method', 'params', 'reason']);

/** Returns the entry that a failure belongs to; one with params goes before one for all calls. */
export function findExpected(
  expected: readonly ExpectedFailure[],
  { check, probe }: Failure,
): ExpectedFailure | null {
  const method = probe.method?.name ?? null;
  const own = expected.filter((entry) => entry.check === check && entry.method === method);
  const [first] = probe.expects.responses;
  const params =
    first !== undefined && 'params' in first.outcome ? first.outcome.params : undefined;
  const isCalled = (entry: ExpectedFailure): boolean =>
    params !== undefined &&
    entry.params !== undefined &&
    canonicalText(printExact(entry.params)) === canonicalText(printExact(params));
  return own.find(isCalled) ?? own.find((entry) => entry.params === undefined) ?? null;
}
