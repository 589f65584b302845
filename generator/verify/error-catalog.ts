import { isObject, type JsonObject } from '../../common/json/value.ts';
import type { ErrorModel } from '../model/model.ts';
import type { Contract, VerifiedMethod } from './contract.ts';
import { findDifference, shorten } from './difference.ts';
import { pairResponses, type Answer, type Outcome, type Probe } from './message.ts';

/** Standard codes of JSON-RPC 2.0 (5.1), which a document need not declare. */
export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
} as const;

const standardCodes: ReadonlySet<number> = new Set(Object.values(codes));

export function codeOf({ error }: JsonObject): number | undefined {
  const code = isObject(error) ? error['code'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

export function reasonOf({ error }: JsonObject): string | undefined {
  const data = isObject(error) ? error['data'] : undefined;
  const reason = isObject(data) ? data['reason'] : undefined;
  return typeof reason === 'string' ? reason : undefined;
}

export function describeError(response: JsonObject): string {
  const { code, message } = response['error'] as JsonObject;
  return `the error ${String(code)} (${shorten(String(message))})`;
}

/**
 * Checks whether the document declares a code. A method that declares no errors may return those of the
 * catalog or, without a catalog, any.
 */
export function isDeclared(
  { errors }: Contract,
  method: VerifiedMethod | null,
  code: number,
): boolean {
  if (standardCodes.has(code)) return true;
  if (method === null || method.errorCodes.size === 0) {
    return errors.length === 0 || errors.some((row) => row.code === code);
  }
  return method.errorCodes.has(code);
}

/** Returns the row of the error catalog that describes an error. */
export function rowOf({ errors, check }: Contract, response: JsonObject): ErrorModel | undefined {
  const { error } = response;
  // A response without an error is reported as such.
  if (!isObject(error)) return undefined;
  return errors.find(
    (row) =>
      row.code === error['code'] &&
      (row.data === null ||
        (error['data'] === undefined
          ? !isObject(row.data) || row.data['required'] === undefined
          : check(row.data, error['data']).length === 0)),
  );
}

/** Checks whether a node behind the service chose an error (`x-behavior.nodeErrorCodes`). */
export function isNodeError({ nodeErrorCodes }: Contract, response: JsonObject): boolean {
  return nodeErrorCodes.has(codeOf(response)!) && reasonOf(response) === undefined;
}

/** Checks whether an example of the method shows this error, which need not be in the catalog. */
export function isExampleError(response: JsonObject, outcome: Outcome): boolean {
  if (outcome.kind === 'recorded') return true;
  if (!('method' in outcome)) return false;
  return outcome.method.examples.some(
    ({ error }) => error !== undefined && differentError(response, error) === undefined,
  );
}

/** Compares an error with that of an example; texts of messages may differ. */
export function differentError(response: JsonObject, wanted: JsonObject): string | undefined {
  const { error } = response;
  if (!isObject(error)) {
    return `expected the error ${JSON.stringify(wanted['code'])} of the example, got a result`;
  }
  const keys = ['code', ...('data' in wanted ? ['data'] : [])];
  return keys
    .map((key) => findDifference(wanted, error, key))
    .find((difference) => difference !== undefined);
}

/** Returns the documented cost of a call; undefined if the document does not say. */
export function costOf(
  contract: Contract,
  response: JsonObject,
  outcome: Outcome,
): number | undefined {
  if (!('method' in outcome)) return outcome.kind === 'error' ? 0 : undefined;
  const { cost } = outcome.method;
  if ('result' in response) return cost ?? undefined;
  const charged = rowOf(contract, response)?.charged;
  if (charged === false) return 0;
  return charged === true ? (cost ?? undefined) : undefined;
}

/** Returns the documented cost of all calls of a message; undefined if the document does not say. */
export function costOfAnswer(contract: Contract, probe: Probe, answer: Answer): number | undefined {
  const costs = pairResponses(probe, answer).map(({ expected, response }) =>
    costOf(contract, response, expected.outcome),
  );
  return costs.includes(undefined)
    ? undefined
    : costs.reduce<number>((sum, cost) => sum + cost!, 0);
}
