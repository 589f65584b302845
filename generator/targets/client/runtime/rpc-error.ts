import { ClientError } from './client-error.ts';
import { nameOfReason } from './error-name.ts';
import { errorNames, passingCodes } from './facts.ts';
import type { ResponseInfo } from './transport.ts';

/** The `error` member of a JSON-RPC answer. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * The server answered with an error. `message` is the server's own, so that what others read from
 * it stays readable. Where `data` names a reason, its members are also the error's own
 * (`error.resetsAt` is `error.data.resetsAt`). `name` is that of the class of the document it belongs
 * to, whether a program imports that class or not.
 */
export class RpcError<
  Code extends number = number,
  Reason extends string | null = string | null,
  Data = unknown,
> extends ClientError {
  declare readonly code: Code;
  /** Tells apart the errors that share a code; null when the answer names none. */
  declare readonly reason: Reason;
  declare readonly data: Data;
  declare readonly method: string;

  constructor({ code, message, data }: WireError, method: string, response: ResponseInfo | null) {
    const named = data as { readonly reason?: unknown } | null | undefined;
    const reason = typeof named?.reason === 'string' ? named.reason : null;
    super(message, {
      name:
        errorNames[`${code} ${reason ?? message}`] ??
        (reason ? nameOfReason(reason) : (errorNames[code] ?? 'RpcError')),
      code,
      reason,
      data,
      method,
      response,
      retryable: !!reason && passingCodes[code]?.includes(reason) === false,
    });
    // A server chooses the names in `data`: what is the error's own stays as it is.
    if (reason)
      for (const key in named)
        if (!(key in this)) (this as Record<string, unknown>)[key] = named[key as never];
  }

  /** The decoded reason of an executed REVERT; null when the server gave none, and for other errors. */
  get revertReason(): string | null {
    return /^execution reverted: (.+)/s.exec(this.message)?.[1] ?? null;
  }
}

/** The members `data` has for sure, as an error that names a reason has them too. */
export type MembersOf<Data> = {
  [
    Key in keyof Data as string extends Key ? never : Key extends keyof RpcError ? never : Key
  ]: Data[Key];
};

/** A class of errors of the document, as in `error instanceof CreditsExhaustedError`. */
export interface ErrorType<Type> {
  readonly prototype: Type;
  [Symbol.hasInstance](error: unknown): error is Type;
}

/** Makes the class of the errors of a name and code. It costs nothing where it is not imported. */
export function errorType<Type extends RpcError>(name: string, code: number): ErrorType<Type> {
  return class extends RpcError {
    static override [Symbol.hasInstance](error: unknown): boolean {
      return error instanceof RpcError && error.name === name && error.code === code;
    }
  } as unknown as ErrorType<Type>;
}
