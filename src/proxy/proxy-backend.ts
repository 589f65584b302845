import type { Violation } from '../../common/validators-runtime/violations.js';
import type { DescribedMethod } from '../described/service.ts';
import type { ErrorCatalog, RpcError } from '../errors/catalog.ts';
import type { NodeError } from '../errors/node-error.ts';
import { err, ok } from '../errors/result.ts';
import { hasMoreValues } from '../json/count-values.ts';
import type { Backend, Method, Outcome } from '../rpc/call.ts';
import { MessageTurns } from '../time/message-turns.ts';
import type { FailureCause, Upstream } from '../upstream/upstream.ts';
import type { NotedViolation, ViolationLog } from './violation-log.ts';

export interface ProxyMethod extends Method {
  /** Null if the document does not have the method. */
  readonly described: DescribedMethod | null;
}

interface ProxyOptions {
  readonly upstream: Upstream;
  readonly errors: ErrorCatalog;
  readonly log: ViolationLog;
  /** Whether contract violations get an error response; otherwise they are only logged. */
  readonly fails: boolean;
}

/** Forwards calls and validates results and errors against the document. */
export function createProxyBackend<C>({
  upstream,
  errors,
  log,
  fails,
}: ProxyOptions): Backend<ProxyMethod, C> {
  // A check may take a third of a second, and one message of the upstream may bring the results of a batch.
  const turns = new MessageTurns<object | string>(() => performance.now());
  return async ({ method, rawParams, batch, requestId }, _caller, signal) => {
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
    // The response object is rebuilt, so the caller cannot see its violations of JSON-RPC: log them here.
    const ofResponse = outcome.violation === undefined ? [] : [toViolation(outcome.violation)];
    for (const each of ofResponse) log.add(name, 'response', { ...each, kind: each.message });
    if (outcome.kind === 'error') {
      const violation = checkError(described, outcome.error);
      if (violation !== undefined) log.add(name, 'response', violation);
      return err(errors.fromNode(outcome.error));
    }
    const turn = turns.wait(batch ?? requestId);
    if (turn !== undefined) await turn;
    const ofResult = checkResult(described, outcome.result);
    for (const each of ofResult) log.add(name, 'response', each);
    const violations = [...ofResponse, ...ofResult];
    return fails && violations.length > 0 ? refuse(errors, violations) : ok(outcome.result);
  };
}

/** Maximum number of violations in an error. */
const MAX_VIOLATIONS = 32;

function refuse(errors: ErrorCatalog, violations: readonly Violation[]): Outcome {
  const data = {
    detail: 'the response violates the document or JSON-RPC 2.0',
    violations: violations.slice(0, MAX_VIOLATIONS),
  };
  return err(errors.fail('invalid_upstream_response', { data }));
}

function toViolation(message: string): Violation {
  const expected = 'a JSON-RPC 2.0 response';
  return { pointer: '', param: null, keyword: 'response', expected, message };
}

/**
 * Maximum size of a result that is checked. All callers wait while it is parsed and validated: at these
 * limits for about 100 ms, since a member with a name of its own takes several microseconds.
 */
const MAX_CHECKED_VALUES = 100_000;
const MAX_CHECKED_BYTES = 8 * 1024 * 1024;

const CHECKED_SIZE = `at most ${MAX_CHECKED_VALUES} values and ${MAX_CHECKED_BYTES} bytes`;

const tooLarge: Violation = {
  pointer: '',
  param: null,
  keyword: 'complexity',
  expected: CHECKED_SIZE,
  message: `result: expected ${CHECKED_SIZE} in total, got more; not checked`,
};

function checkResult(described: DescribedMethod | null, result: Buffer): readonly Violation[] {
  const validate = described?.validateResult ?? undefined;
  if (validate === undefined) return [];
  if (result.length > MAX_CHECKED_BYTES) return [tooLarge];
  if (hasMoreValues(result, MAX_CHECKED_VALUES)) return [tooLarge];
  return validate(JSON.parse(result.toString()));
}

/** Finds an undeclared code. Those of JSON-RPC 2.0 (5.1), and any if no error is declared, are valid. */
function checkError(
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
    message: `undeclared error code ${code}, expected one of ${declared}`,
    kind: String(code),
  };
}

const unusable: ReadonlySet<FailureCause> = new Set([
  'malformed',
  'status',
  'too_large',
  'too_deep',
]);

/** Includes the details of the failure: the callers of a proxy are developers. */
function failureOf(errors: ErrorCatalog, cause: FailureCause, detail: string): RpcError {
  const data = { detail: `upstream: ${detail}` };
  if (cause === 'timeout') return errors.fail('upstream_timeout', { data });
  if (unusable.has(cause)) return errors.fail('invalid_upstream_response', { data });
  return errors.fail('no_upstream', { data });
}

/**
 * Returns the methods of a document for a proxy, and one for any other name. Violations in params are
 * logged; unless `fails` is set, they are not returned, so that the calls continue.
 */
export function passingMethods(
  described: readonly DescribedMethod[],
  { log, fails }: { readonly log: ViolationLog; readonly fails: boolean },
): ReadonlyMap<string, ProxyMethod> {
  const logAll = (name: string, violations: readonly Violation[]): readonly Violation[] => {
    for (const violation of violations) log.add(name, 'request', violation);
    return fails ? violations : [];
  };
  const methods = described.map((method): [string, ProxyMethod] => [
    method.name,
    {
      name: method.name,
      described: method,
      ...(method.takesNames || !fails ? { paramNames: method.paramNames } : {}),
      validateParams: (params) => logAll(method.name, method.validateParams(params)),
    },
  ]);
  return new MethodsOfAnyName(methods, (name) => {
    const message = 'method not found in the document';
    log.add(name, 'request', { pointer: '', keyword: 'method', message });
  });
}

/** Has a method for every name; calls of unknown methods are logged. */
class MethodsOfAnyName extends Map<string, ProxyMethod> {
  readonly #logUnknown: (name: string) => void;

  constructor(methods: readonly [string, ProxyMethod][], logUnknown: (name: string) => void) {
    super(methods);
    this.#logUnknown = logUnknown;
  }

  override get(name: string): ProxyMethod {
    const known = super.get(name);
    if (known !== undefined) return known;
    const validateParams = (): readonly Violation[] => {
      this.#logUnknown(name);
      return [];
    };
    return { name, described: null, paramNames: [], validateParams };
  }
}
