import { ClientError } from './errors.ts';
import { type Transport, wrapTransport } from './transport.ts';

/** A violation of the document by params or a result. */
export interface Violation {
  /** JSON pointer (RFC 6901) into the params or the result: "/1/filters/0/memcmp". */
  readonly pointer: string;
  /** The parameter's name; null in a result. */
  readonly param: string | null;
  /** The JSON Schema keyword that failed. */
  readonly keyword: string;
  /** The expected value in words. */
  readonly expected: string;
  /** What is wrong and where, in one sentence. */
  readonly message: string;
}

/** Returns the violations of a value; [] if it is valid. */
export type Validate = (value: unknown) => readonly Violation[];

/** By method name. */
export interface Validators {
  readonly params: Readonly<Record<string, Validate>>;
  readonly results: Readonly<Record<string, Validate>>;
}

export interface ValidationOptions {
  /** Whether to validate params before sending a call (default: true). */
  readonly params?: boolean | undefined;
  /** Whether to validate results (default: true). */
  readonly results?: boolean | undefined;
}

/** Reports invalid params, in which case nothing was sent, or an invalid result. */
export class ValidationError extends ClientError {
  declare readonly method: string;
  declare readonly of: 'params' | 'result';
  declare readonly violations: readonly Violation[];

  constructor(method: string, of: 'params' | 'result', violations: readonly Violation[]) {
    const what = violations.map(({ message }) => message).join('; ');
    const facts = { name: 'ValidationError', method, of, violations, retryable: false };
    super(`${method}: invalid ${of}: ${what}`, facts);
  }
}

/**
 * Validates params and results. Methods that are not in the document are not validated.
 * @throws ValidationError
 */
export function validateTransport<Wide>(
  transport: Transport<Wide>,
  { params: byParams, results: byResult }: Validators,
  { params = true, results = true }: ValidationOptions = {},
): Transport<Wide> {
  return wrapTransport(transport, async (call, context) => {
    const { method } = call;
    if (params) check(call.params ?? [], { method, of: 'params', by: byParams });
    const answer = await transport(call, context);
    if (results && call.notification !== true) {
      check(answer.result, { method, of: 'result', by: byResult });
    }
    return answer;
  });
}

function check(
  value: unknown,
  how: {
    readonly method: string;
    readonly of: 'params' | 'result';
    readonly by: Validators['params'];
  },
): void {
  const { method, of, by } = how;
  const validate = Object.hasOwn(by, method) ? by[method] : undefined;
  if (validate === undefined || validate(value).length === 0) return;
  // Validators expect numbers. Bigints are converted only now, because copying is expensive.
  const violations = validate(withoutBigInts(value));
  if (violations.length > 0) throw new ValidationError(method, of, violations);
}

function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutBigInts(each)]),
  );
}
