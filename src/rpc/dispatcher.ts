import { nearestName } from '../../common/validators-runtime/nearest-name.js';
import type { Violation } from '../../common/validators-runtime/violations.js';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import { err, type Result } from '../errors/result.ts';
import { OPEN_OBJECT } from '../json/bytes.ts';
import { hasMoreValues } from '../json/count-values.ts';
import { hasDuplicateNames, measureMembers } from '../json/ranges.ts';
import { isBytes, type Backend, type Method, type Outcome, type PendingCall } from './call.ts';

export interface DispatchOptions<M extends Method, C> {
  readonly methods: ReadonlyMap<string, M>;
  readonly backend: Backend<M, C>;
  readonly errors: ErrorCatalog;
  /** Applies the rate limit. Called once for every request, invalid ones included. */
  readonly throttle?: (caller: C) => Result<undefined>;
  /** Applies the allow-lists of the caller's key. */
  readonly admit?: (
    caller: C,
    call: { readonly method: M; readonly params: readonly unknown[] },
  ) => Result<undefined>;
  /** Receives notifications within the rate limit; nothing is sent back. */
  readonly notify?: (call: PendingCall<C>) => void;
  /**
   * Maximum number of objects, arrays and scalars in params. Parsing and validating one of them takes a
   * hundred times as long as the same bytes in a string.
   */
  readonly param_values?: number;
  /**
   * Maximum size of a member name in params. Each violation within the member repeats its name, so one name
   * that fills a request would take seconds and a response of many times its size.
   */
  readonly param_name_bytes?: number;
  /** Describes where else an unknown method is offered; undefined if nowhere. */
  readonly describeMethod?: (name: string) => string | undefined;
  /** Receives what a backend threw; the caller gets an internal error. */
  readonly onError: (error: unknown, requestId: string) => void;
}

const EMPTY_ARRAY = Buffer.from('[]');

/** Names further apart are different methods: eth_getCode is not a typing mistake for eth_getProof. */
const MAX_MISTAKES = 3;

/**
 * Dispatches a request to the backend: rate limit → method → params → validation → allow-lists →
 * backend. Passes the outcome to `respond` and returns the result of `respond`, as a promise only if the
 * backend returns one. The outcome of a notification is undefined, and only `notify` receives it. Neither
 * throws nor rejects if `respond` does not throw.
 */
export function dispatchCall<M extends Method, C, R>(
  options: DispatchOptions<M, C>,
  call: PendingCall<C>,
  respond: (outcome: Outcome | undefined) => R,
): Promise<R> | R {
  const fail = (error: unknown): Outcome => {
    options.onError(error, call.context.requestId);
    return err(options.errors.fail('internal_error'));
  };
  const checked = (outcome: unknown): Outcome =>
    isOutcome(outcome) ? outcome : fail(new TypeError('the backend returned no outcome'));
  let outcome: Promise<Outcome> | Outcome;
  try {
    const allowed = options.throttle?.(call.caller);
    const isThrottled = allowed?.ok === false;
    if (call.request.id === null) {
      if (!isThrottled) options.notify?.(call);
      return respond(undefined);
    }
    outcome = isThrottled ? allowed : perform(options, call);
  } catch (error) {
    return respond(fail(error));
  }
  if (!(outcome instanceof Promise)) return respond(checked(outcome));
  return outcome.then(
    (each) => respond(checked(each)),
    (error: unknown) => respond(fail(error)),
  );
}

// A backend may pass on a value made by a library or a document, so its type is not reliable.
function isOutcome(outcome: unknown): outcome is Outcome {
  if (typeof outcome !== 'object' || outcome === null) return false;
  const { ok, value, error } = outcome as Partial<Record<string, unknown>>;
  if (ok !== true) return typeof error === 'object' && error !== null && 'code' in error;
  return typeof value === 'object' && value !== null && (isBytes(value) || 'ended' in value);
}

function perform<M extends Method, C>(
  options: DispatchOptions<M, C>,
  { request, caller, context, trace }: PendingCall<C>,
): Promise<Outcome> | Outcome {
  const { errors } = options;
  if (request.invalid !== null) {
    return err(errors.fail('invalid_request', { data: { detail: request.invalid } }));
  }
  const method = options.methods.get(request.method);
  if (method === undefined) {
    return err(methodNotFound(options, request.method));
  }
  const given = request.params ?? EMPTY_ARRAY;
  const excess = checkSize(given, options);
  if (excess !== undefined) return invalidParams(errors, [excess]);
  const { params, rawParams } = readParams(method, given);
  const violations = violationsIn(method, params, rawParams);
  if (violations.length > 0) return invalidParams(errors, violations);
  const ordered = Array.isArray(params)
    ? (params as readonly unknown[])
    : inOrder(params as object, method.paramNames ?? []);
  const admitted = options.admit?.(caller, { method, params: ordered });
  if (admitted?.ok === false) return admitted;
  const { requestId, signal, streams = false, batch } = context;
  const call = { method, params: ordered, rawParams, requestId, streams, batch, trace };
  return options.backend(call, caller, signal);
}

function methodNotFound<M extends Method, C>(
  { methods, errors, describeMethod }: DispatchOptions<M, C>,
  name: string,
): RpcError {
  const named = { method: shorten(name) };
  const mistakes = Math.min(MAX_MISTAKES, Math.floor(name.length / 4));
  const nearest = nearestName(name, methods.keys(), { mistakes });
  const meant = nearest === null ? undefined : `did you mean ${nearest}?`;
  const hint = describeMethod?.(name) ?? meant;
  const data = hint === undefined ? named : { ...named, hint };
  const error = errors.fail('method_not_found', { message: named, data });
  return hint === undefined ? error : { ...error, message: `${error.message}; ${hint}` };
}

function readParams(method: Method, given: Buffer): { params: unknown; rawParams: Buffer } {
  const params: unknown = JSON.parse(given.toString());
  const rawParams = method.prepare?.(params, given) ?? given;
  if (rawParams === given) return { params, rawParams };
  return { params: JSON.parse(rawParams.toString()), rawParams };
}

function violationsIn(method: Method, params: unknown, rawParams: Buffer): readonly Violation[] {
  if (!Array.isArray(params) && method.paramNames === undefined) return [notPositional];
  const violations = method.validateParams(params);
  if (violations.length > 0) return violations;
  return hasObject(params) && hasDuplicateNames(rawParams, params) ? [duplicateName] : [];
}

/** Whether params may hold members: most are an array of strings and numbers. */
function hasObject(params: unknown): boolean {
  return !Array.isArray(params) || params.some((each) => typeof each === 'object');
}

function inOrder(params: object, names: readonly string[]): readonly unknown[] {
  const byName = new Map<string, unknown>(Object.entries(params));
  return names.map((name) => byName.get(name));
}

/** Longer than any method name; a hostile one is not echoed in full. */
const MAX_NAME_LENGTH = 100;

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

/** Returns how params exceed the limits of values and member names, if they do. */
function checkSize<M extends Method, C>(
  rawParams: Buffer,
  {
    param_values = Infinity,
    param_name_bytes = Infinity,
  }: Pick<DispatchOptions<M, C>, 'param_values' | 'param_name_bytes'>,
): Violation | undefined {
  if (hasMoreValues(rawParams, param_values)) return tooManyValues(param_values);
  if (rawParams.length <= param_name_bytes || !rawParams.includes(OPEN_OBJECT)) return undefined;
  const { maxName_bytes } = measureMembers(rawParams);
  return maxName_bytes > param_name_bytes ? nameTooLong(param_name_bytes) : undefined;
}

const all = { pointer: '', param: null };
const notPositional: Violation = {
  ...all,
  keyword: 'type',
  expected: 'a positional array',
  message: 'params: expected a positional array, got an object',
};
const tooManyValues = (max: number): Violation => ({
  ...all,
  keyword: 'maxItems',
  expected: `at most ${max} values in total`,
  message: `params: expected at most ${max} values in total, got more`,
});
const nameTooLong = (max_bytes: number): Violation => ({
  ...all,
  keyword: 'maxLength',
  expected: `member names of at most ${max_bytes} bytes`,
  message: `params: expected member names of at most ${max_bytes} bytes, got a longer one`,
});
const duplicateName: Violation = {
  ...all,
  keyword: 'uniqueNames',
  expected: 'objects with unique member names',
  message: 'params: expected objects with unique member names, got two members with the same name',
};

/** Keeps the answer to a hostile array from being many times its size. */
const MAX_VIOLATIONS = 32;

function invalidParams(errors: ErrorCatalog, violations: readonly Violation[]): Outcome {
  const detail = violations[0]?.message ?? '';
  const data = { violations: violations.slice(0, MAX_VIOLATIONS) };
  return err(errors.fail('invalid_params', { message: { detail }, data }));
}
