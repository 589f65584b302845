import { ClientError } from './client-error.ts';
import { type Transport, wrapTransport } from './transport.ts';

/** One thing that is wrong with params or a result. */
export interface Violation {
  /** JSON pointer (RFC 6901) into the params or the result: "/1/filters/0/memcmp". */
  readonly pointer: string;
  /** The parameter's name; null in a result. */
  readonly param: string | null;
  /** The keyword of JSON Schema that failed. */
  readonly keyword: string;
  /** What would have been right, for a reader. */
  readonly expected: string;
  /** What is wrong and where, as one sentence. */
  readonly message: string;
}

/** Says what is wrong with a value; nothing when it is valid. */
export type Validate = (value: unknown) => readonly Violation[];

/** By method, as the document has them. */
export interface Validators {
  readonly params: Readonly<Record<string, Validate>>;
  readonly results: Readonly<Record<string, Validate>>;
}

export interface ValidationOptions {
  /** Whether params are looked at before a call is sent (true). */
  readonly params?: boolean | undefined;
  /** Whether results are looked at when they arrive (true). */
  readonly results?: boolean | undefined;
}

/** Params that the document does not allow (nothing was sent), or a result that it does not. */
export class ValidationError extends ClientError {
  declare readonly method: string;
  declare readonly of: 'params' | 'result';
  declare readonly violations: readonly Violation[];

  constructor(method: string, of: 'params' | 'result', violations: readonly Violation[]) {
    const what = violations.map(({ message }) => message).join('; ');
    const facts = { name: 'ValidationError', method, of, violations, retryable: false };
    super(`${method}: ${of} against the document: ${what}`, facts);
  }
}

/**
 * Holds what a transport carries to a document. What the document does not know is let through.
 * @throws ValidationError
 */
export function validateTransport<Wide>(
  transport: Transport<Wide>,
  { params: byParams, results: byResult }: Validators,
  { params = true, results = true }: ValidationOptions = {},
): Transport<Wide> {
  return wrapTransport(transport, async (call, context) => {
    const { method } = call;
    if (params) hold(call.params ?? [], { method, of: 'params', by: byParams });
    const answer = await transport(call, context);
    if (results && call.notification !== true) {
      hold(answer.result, { method, of: 'result', by: byResult });
    }
    return answer;
  });
}

function hold(
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
  // Only then, since a copy costs: schemas know integers as numbers, not as bigints.
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
