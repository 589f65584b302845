import type { Violation } from '../../common/validators-runtime/violations.js';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import { hasDuplicateNames } from '../json/duplicates.ts';
import type { Backend, Method, Outcome } from './call.ts';
import type { CallTrace, TraceOrigin } from '../tracing/trace.ts';
import type { Envelope } from './envelope.ts';

export interface FrontOptions<M extends Method, C> {
  readonly methods: ReadonlyMap<string, M>;
  readonly backend: Backend<M, C>;
  readonly errors: ErrorCatalog;
  /** Refuses a caller that calls too often. Asked once for every request, flawed ones included. */
  readonly throttle?: (caller: C) => RpcError | undefined;
  /** Refuses what the caller's key does not allow. */
  readonly admit?: (
    caller: C,
    call: { readonly method: M; readonly params: readonly unknown[] },
  ) => RpcError | undefined;
  /** Hears of notifications that keep the rate; nobody is told what comes of them. */
  readonly notify?: (job: Job<C>) => void;
  /** Hears of what a backend threw; the caller gets an internal error. */
  readonly onFault: (error: unknown, requestId: string) => void;
}

export interface CallContext {
  readonly requestId: string;
  /** Fires when nobody takes the answer any more; by `SERVICE_ENDS` when that is our doing. */
  readonly signal: AbortSignal;
  /** Whether a large result of a single call may be given as a stream. */
  readonly streams?: boolean;
  /** The trace it is a part of, if its caller says so. */
  readonly origin?: TraceOrigin | undefined;
}

/** Why a signal fires for a caller that did not leave: the service ends, or cuts its connection. */
export const SERVICE_ENDS = Symbol('the service ends');

const EMPTY_ARRAY = Buffer.from('[]');

/** More than a person reads; a hostile array could otherwise be answered by many times its size. */
const MOST_VIOLATIONS = 32;

export interface Job<C> {
  readonly envelope: Envelope;
  readonly caller: C;
  readonly context: CallContext;
  readonly trace?: CallTrace | undefined;
}

/**
 * The strict front of every backend: request → rate → method → params → validation → allow-list,
 * and only then the backend. Resolves to undefined for a notification, which goes no further than
 * `notify`. Never rejects.
 */
export async function performCall<M extends Method, C>(
  options: FrontOptions<M, C>,
  job: Job<C>,
): Promise<Outcome | undefined> {
  try {
    const tooFast = options.throttle?.(job.caller);
    if (job.envelope.id === null) {
      if (tooFast === undefined) options.notify?.(job);
      return undefined;
    }
    if (tooFast !== undefined) return { error: tooFast };
    const outcome: unknown = await enter(options, job);
    if (!isOutcome(outcome)) throw new TypeError('the backend gave no outcome of the call');
    return outcome;
  } catch (error) {
    options.onFault(error, job.context.requestId);
    return { error: options.errors.fail('internal_error') };
  }
}

// Backends may pass on what a library or a document made: its type is only a promise.
function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== 'object' || value === null) return false;
  const { result, stream, error } = value as Partial<Record<string, unknown>>;
  if (result !== undefined) return result instanceof Uint8Array;
  if (stream !== undefined) return typeof stream === 'object' && stream !== null;
  return typeof error === 'object' && error !== null && 'code' in error;
}

function enter<M extends Method, C>(
  options: FrontOptions<M, C>,
  { envelope, caller, context, trace }: Job<C>,
): Promise<Outcome> | Outcome {
  const { errors } = options;
  if (envelope.flaw !== null) {
    return { error: errors.fail('invalid_request', { data: { detail: envelope.flaw } }) };
  }
  const name = envelope.method;
  const method = options.methods.get(name);
  if (method === undefined) {
    const named = { method: shorten(name) };
    return { error: errors.fail('method_not_found', { message: named, data: named }) };
  }
  const rawParams = envelope.params ?? EMPTY_ARRAY;
  const params: unknown = JSON.parse(rawParams.toString());
  const isArray = Array.isArray(params);
  if (!isArray && method.paramNames === undefined) return invalidParams(errors, [notPositional]);
  const violations = method.validateParams(params);
  if (violations.length > 0) return invalidParams(errors, violations);
  if (hasDuplicateNames(rawParams, params)) return invalidParams(errors, [duplicateName]);
  const ordered = isArray ? params : inOrder(params as object, method.paramNames ?? []);
  const refused = options.admit?.(caller, { method, params: ordered });
  if (refused !== undefined) return { error: refused };
  const { requestId, signal, streams = false } = context;
  const call = { method, params: ordered, rawParams, requestId, streams, trace };
  return options.backend(call, caller, signal);
}

function inOrder(params: object, names: readonly string[]): readonly unknown[] {
  const byName = new Map<string, unknown>(Object.entries(params));
  return names.map((name) => byName.get(name));
}

/** Longer than any method is called; the rest of a hostile name is not sent back. */
const LONGEST_NAME = 100;

function shorten(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name;
}

const notPositional: Violation = {
  pointer: '',
  param: null,
  keyword: 'type',
  expected: 'a positional array',
  message: 'params must be a positional array, not an object of names',
};

const duplicateName: Violation = {
  pointer: '',
  param: null,
  keyword: 'uniqueNames',
  expected: 'objects whose member names differ',
  message: 'an object in params names a member twice',
};

function invalidParams(errors: ErrorCatalog, violations: readonly Violation[]): Outcome {
  const detail = violations[0]?.message ?? '';
  const data = { violations: violations.slice(0, MOST_VIOLATIONS) };
  return { error: errors.fail('invalid_params', { message: { detail }, data }) };
}
