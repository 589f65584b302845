import type { Violation } from '../../common/validators-runtime/violations.js';
import type { DescribedMethod } from '../described/service.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import type { NodeError } from '../errors/node-error.ts';
import { err, ok } from '../errors/result.ts';
import type { Backend, Method, Outcome } from '../rpc/call.ts';
import type { FailureCause, Upstream } from '../upstream/upstream.ts';
import type { NotedViolation, ViolationLog } from './violation-log.ts';

export interface ProxyMethod extends Method {
  /** Null when the document has no such method. */
  readonly described: DescribedMethod | null;
}

export interface ProxyOptions {
  readonly upstream: Upstream;
  readonly errors: ErrorCatalog;
  readonly log: ViolationLog;
  /** Whether what breaks the document is answered by an error; else it is passed on all the same. */
  readonly fails: boolean;
}

/** Passes calls on, and holds results and errors to the document. */
export function createProxyBackend<C>({
  upstream,
  errors,
  log,
  fails,
}: ProxyOptions): Backend<ProxyMethod, C> {
  return async ({ method, rawParams }, _caller, signal) => {
    log.addCall();
    const { name, described } = method;
    if (fails && described === null) {
      const named = { method: name };
      return err(errors.fail('method_not_found', { message: named, data: named }));
    }
    const outcome = await upstream({ method: name, params: rawParams }, signal);
    if (outcome.kind === 'failure') {
      if (outcome.cause === 'malformed') {
        const { detail } = outcome;
        const kind = detail.replace(/ at byte \d+$/, '');
        log.add(name, 'response', { pointer: '', keyword: 'response', message: detail, kind });
      }
      return err(failureOf(errors, outcome.cause, outcome.detail));
    }
    // The response object is composed again, so the caller cannot see what was wrong with it.
    const breaches = outcome.violation === undefined ? [] : [breachOf(outcome.violation)];
    for (const breach of breaches) log.add(name, 'response', { ...breach, kind: breach.message });
    if (outcome.kind === 'error') {
      const violation = undeclared(described, outcome.error);
      if (violation !== undefined) log.add(name, 'response', violation);
      return err(errors.fromNode(outcome.error));
    }
    const violations = brokenBy(described, outcome.result);
    for (const violation of violations) log.add(name, 'response', violation);
    const told = [...breaches, ...violations];
    return fails && told.length > 0 ? refuse(errors, told) : ok(outcome.result);
  };
}

/** A caller is told no more than this of what is wrong with one result. */
const MOST_TOLD = 32;

function refuse(errors: ErrorCatalog, violations: readonly Violation[]): Outcome {
  const data = {
    detail: 'the answer breaks the document or JSON-RPC 2.0',
    violations: violations.slice(0, MOST_TOLD),
  };
  return err(errors.fail('invalid_upstream_response', { data }));
}

function breachOf(message: string): Violation {
  const expected = 'a response of JSON-RPC 2.0';
  return { pointer: '', param: null, keyword: 'response', expected, message };
}

function brokenBy(described: DescribedMethod | null, result: Buffer): readonly Violation[] {
  const validate = described?.validateResult ?? undefined;
  return validate === undefined ? [] : validate(JSON.parse(result.toString()));
}

/** Codes of JSON-RPC 2.0 itself (5.1) need no declaration; nor do errors where none is declared. */
function undeclared(
  described: DescribedMethod | null,
  { code }: NodeError,
): NotedViolation | undefined {
  if (described === null || described.errors.length === 0) return undefined;
  if (code === -32700 || (code <= -32600 && code >= -32603)) return undefined;
  if (described.errors.some((error) => error.code === code)) return undefined;
  const declared = [...new Set(described.errors.map((error) => error.code))].join(', ');
  return {
    pointer: '',
    keyword: 'errors',
    message: `error code ${code} is not declared; declared are ${declared}`,
    kind: String(code),
  };
}

/** Nobody but a developer asks a proxy: what happened is told as it was. */
function failureOf(errors: ErrorCatalog, cause: FailureCause, detail: string): RpcError {
  const data = { detail: `the upstream: ${detail}` };
  if (cause === 'timeout') return errors.fail('upstream_timeout', { data });
  if (cause === 'malformed' || cause === 'status' || cause === 'too_large') {
    return errors.fail('invalid_upstream_response', { data });
  }
  return errors.fail('no_upstream', { data });
}
