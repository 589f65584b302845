import { setTimeout as pause } from 'node:timers/promises';
import type {
  DescribedError,
  DescribedMethod,
  DescribedService,
  DescribedExample,
} from '../described/service.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import { err, ok } from '../errors/result.ts';
import type { Backend, Method, Outcome } from '../rpc/call.ts';
import type { CancelSignal } from '../time/cancellation.ts';
import { isObject } from '../../common/json/value.ts';
import { makeValue } from '../../common/make-value/make-value.ts';
import { limitTime } from '../../common/validation-time.ts';

export interface MockCaller {
  /** The requested error: a code, name or reason, or the name of an example with an error. */
  readonly wantsError?: string;
  /** Milliseconds before the response, as text; overrides the mock's latency. */
  readonly wantsLatency?: string;
}

/** Long enough for tests of timeouts, and short enough not to look like a hang. */
const MAX_LATENCY_MS = 60_000;

export interface MockMethod extends Method {
  readonly described: DescribedMethod;
}

interface MockOptions {
  readonly errors: ErrorCatalog;
  /** Seed of the generated results. */
  readonly seed: string;
  /** Delay before every response. */
  readonly latency_ms: number;
}

/**
 * Responds to calls with the example that has equal params, otherwise with a value generated from the
 * result's schema. Params are already valid.
 */
export function createMockBackend(
  service: DescribedService,
  { errors, seed, latency_ms }: MockOptions,
): Backend<MockMethod, MockCaller> {
  const root = { definitions: service.schemas };
  const examples = new Map(service.methods.map((method) => [method, byParams(method.examples)]));
  const answer = (method: DescribedMethod, given: readonly unknown[]): Outcome => {
    const params = method.validateParams.withoutNulls(given) as readonly unknown[];
    const example = examples.get(method)?.get(textOf(params));
    if (example?.error !== undefined) return err(toRpcError(example.error));
    if (example?.result !== undefined) return ok(Buffer.from(example.result));
    if (method.validateResult === null) return ok(Buffer.from('null'));
    const words = [seed, method.name, JSON.stringify(params)];
    const options = { validate: method.validateResult, root };
    // All its attempts together have the time of one validation.
    const made = limitTime(() => makeValue(method.resultSchema, options, words));
    if ('value' in made) return ok(Buffer.from(JSON.stringify(made.value)));
    const cause = made.problem === null ? '' : ` (${made.problem})`;
    const detail = `cannot generate a valid result of ${method.name}${cause}`;
    const fix = 'Add an example to the document.';
    return err(errors.fail('internal_error', { data: { detail, fix } }));
  };
  return async ({ method: { described }, params }, caller, signal) => {
    const { wantsLatency } = caller;
    const wait_ms = wantsLatency === undefined ? latency_ms : readLatency(wantsLatency);
    if (wait_ms === undefined) {
      const detail = `invalid latency ${JSON.stringify(wantsLatency)}`;
      const fix = 'Send milliseconds in X-Mock-Latency, such as 250.';
      return err(errors.fail('invalid_request', { data: { detail, fix } }));
    }
    if (wait_ms > 0) await waitFor(wait_ms, signal);
    const wanted = caller.wantsError;
    if (wanted === undefined) return answer(described, params);
    const error = findError(described, wanted);
    if (error !== undefined) return err(toRpcError(error));
    const detail = `${described.name} has no error ${wanted}`;
    const fix = `Name a declared error in X-Mock-Error; declared: ${listErrors(described)}.`;
    return err(errors.fail('invalid_request', { data: { detail, fix } }));
  };
}

/** Resolves after `wait_ms`, or once the call is canceled. */
async function waitFor(wait_ms: number, signal: CancelSignal): Promise<void> {
  if (signal.aborted) return;
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort());
  await pause(wait_ms, undefined, { signal: controller.signal }).catch(() => undefined);
}

/** Returns undefined if the text is not a number of milliseconds. */
function readLatency(text: string): number | undefined {
  return /^\s*\d+\s*$/.test(text) ? Math.min(Number(text), MAX_LATENCY_MS) : undefined;
}

/** Converts an error of the document without adding to its data. */
function toRpcError({ status, reason, code, message, data }: DescribedError): RpcError {
  const error = { status, reason: reason ?? 'described', origin: 'node' as const, code, message };
  return data === undefined ? error : { ...error, data };
}

/** Returns the examples by their params; the first one with equal params counts. */
function byParams(examples: readonly DescribedExample[]): ReadonlyMap<string, DescribedExample> {
  return new Map(examples.toReversed().map((example) => [textOf(example.params), example]));
}

/** Returns a text that only equal params have, whatever the order of members. */
function textOf(params: readonly unknown[]): string {
  const given = withoutTail(params).map((value) => (value === undefined ? [] : [value]));
  return JSON.stringify(given, (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function withoutTail(params: readonly unknown[]): readonly unknown[] {
  return params.slice(0, params.findLastIndex((value) => value !== undefined) + 1);
}

/** Returns the error of the example named `wanted`, or the error with this code, name or reason. */
function findError(method: DescribedMethod, wanted: string): DescribedError | undefined {
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

function listErrors({ errors }: DescribedMethod): string {
  const offered = errors.map(({ code, name, reason }) => reason ?? name ?? String(code));
  return offered.length === 0 ? 'none' : [...new Set(offered)].join(', ');
}
