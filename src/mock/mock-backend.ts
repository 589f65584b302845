import { setTimeout as pause } from 'node:timers/promises';
import type { DescribedError, DescribedMethod, DescribedService } from '../described/service.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import { err, ok } from '../errors/result.ts';
import type { Backend, Method, Outcome } from '../rpc/call.ts';
import { fakeResult } from './fake-result.ts';
import { errorsOffered, findError } from './find-error.ts';
import { findExample } from './find-example.ts';

/** Who calls a mock, and what for. */
export interface MockCaller {
  /** The error to answer with: a code, a name, a reason, or the name of an example that has one. */
  readonly wantsError?: string;
  /** Milliseconds before the answer, instead of the mock's own, as the caller wrote them. */
  readonly wantsLatency?: string;
}

/** Longer than anyone tests with, and short enough not to look like a hang. */
const MOST_LATENCY_MS = 60_000;

export interface MockMethod extends Method {
  readonly described: DescribedMethod;
}

export interface MockOptions {
  readonly errors: ErrorCatalog;
  /** The same seed makes the same results. */
  readonly seed: string;
  /** Before every answer. */
  readonly latency_ms: number;
}

/**
 * Answers calls from a document: by the example with equal params, else by a value made from the
 * result's schema. Params reach it validated, and are not validated again.
 */
export function createMockBackend(
  service: DescribedService,
  { errors, seed, latency_ms }: MockOptions,
): Backend<MockMethod, MockCaller> {
  const schemas = new Map(
    service.reference.methods.map(({ name, result }) => [name, result.schema]),
  );
  const answer = (method: DescribedMethod, params: readonly unknown[]): Outcome => {
    const example = findExample(method.examples, params);
    if (example?.error !== undefined) return err(toRpcError(example.error));
    if (example?.result !== undefined) return ok(Buffer.from(example.result));
    if (method.validateResult === null) return ok(Buffer.from('null'));
    const words = [seed, method.name, JSON.stringify(params)];
    const made = fakeResult(schemas.get(method.name), method.validateResult, words);
    if ('value' in made) return ok(Buffer.from(JSON.stringify(made.value)));
    const why = made.problem === null ? '' : ` (${made.problem})`;
    const detail = `no valid result of ${method.name} could be made${why}; give it an example`;
    return err(errors.fail('internal_error', { data: { detail } }));
  };
  return async ({ method: { described }, params }, caller, signal) => {
    const { wantsLatency } = caller;
    const wait_ms = wantsLatency === undefined ? latency_ms : readLatency(wantsLatency);
    if (wait_ms === undefined) {
      const detail = `the latency asked for is ${JSON.stringify(wantsLatency)}; write milliseconds, such as 250`;
      return err(errors.fail('invalid_request', { data: { detail } }));
    }
    if (wait_ms > 0) await pause(wait_ms, undefined, { signal }).catch(() => undefined);
    const wanted = caller.wantsError;
    if (wanted === undefined) return answer(described, params);
    const error = findError(described, wanted);
    if (error !== undefined) return err(toRpcError(error));
    const detail = `${described.name} has no error ${wanted}; it has: ${errorsOffered(described)}`;
    return err(errors.fail('invalid_request', { data: { detail } }));
  };
}

/** Milliseconds, within what is waited at most; undefined for what is no such number. */
function readLatency(text: string): number | undefined {
  return /^\s*\d+\s*$/.test(text) ? Math.min(Number(text), MOST_LATENCY_MS) : undefined;
}

/** As the document has it: nothing is added to its data. */
function toRpcError({ status, reason, code, message, data }: DescribedError): RpcError {
  const error = { status, reason: reason ?? 'described', origin: 'node' as const, code, message };
  return data === undefined ? error : { ...error, data };
}
