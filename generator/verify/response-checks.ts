import { parseExact } from '../../common/json/exact.ts';
import { isObject, type JsonObject } from '../../common/json/value.ts';
import type { Check } from './check.ts';
import { resultSchemaOf, type Contract } from './contract.ts';
import { findDifference, shorten, showMember } from './difference.ts';
import {
  codeOf,
  codes,
  costOf,
  describeError,
  differentError,
  isDeclared,
  isExampleError,
  isNodeError,
  reasonOf,
  rowOf,
} from './error-catalog.ts';
import { canonicalText, idOf, type ExpectedResponse } from './message.ts';

/** A response object and the expected response. */
export interface ResponseSubject {
  readonly contract: Contract;
  readonly expected: ExpectedResponse;
  readonly response: JsonObject;
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly isBatch: boolean;
}

/** Checks of response objects, the most basic first; only the first failure counts. */
export const responseChecks = [
  {
    id: 'response-version',
    title: 'Responses have "jsonrpc": "2.0"',
    help: 'JSON-RPC 2.0 (5): the member `jsonrpc` must be exactly "2.0".',
    find: ({ response }) =>
      response['jsonrpc'] === '2.0'
        ? undefined
        : `expected "jsonrpc": "2.0", got ${showMember(response, 'jsonrpc')}`,
  },
  {
    id: 'response-id',
    title: 'Responses have the id of their request',
    help: 'JSON-RPC 2.0 (5): the same value and type as in the request; null if the request has no valid id.',
    find: ({ response, expected: { id, outcome } }) => {
      const got = idOf(response);
      if (got === canonicalText(id)) return undefined;
      // A server need not read the body of a request without a valid key.
      if (got === 'null' && outcome.kind === 'unauthorized') return undefined;
      return `expected the id ${shorten(id)}, got ${showMember(response, 'id')}`;
    },
  },
  {
    id: 'response-shape',
    title: 'Responses have either a result or an error',
    help: 'JSON-RPC 2.0 (5 and 5.1): one of `result` and `error`; an error has an integer `code` and a `message`.',
    find: ({ response }) => {
      const { error } = response;
      const members = ['result', 'error'].filter((name) => name in response);
      if (members.length !== 1) {
        return `expected a result or an error, got ${members.length === 0 ? 'neither' : 'both'}`;
      }
      if (error === undefined) return undefined;
      const isError =
        isObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string';
      return isError
        ? undefined
        : `expected an error with an integer code and a message, got ${showMember(response, 'error')}`;
    },
  },
  {
    id: 'invalid-key-rejected',
    title: 'Calls without a valid key are rejected',
    help: 'A call with a missing, malformed or unknown key got a result.',
    find: ({ response, expected: { outcome } }) =>
      outcome.kind === 'unauthorized' && 'result' in response
        ? 'expected an error because the key is invalid, got a result'
        : undefined,
  },
  {
    id: 'protocol-error',
    title: 'Invalid requests get the error that JSON-RPC 2.0 defines',
    help: 'JSON-RPC 2.0 (5.1): -32700 for invalid JSON, -32600 for an invalid request, -32601 for an unknown method.',
    find: ({ response, expected: { outcome } }) => {
      if (outcome.kind !== 'error') return undefined;
      const code = codeOf(response);
      if (code !== undefined && outcome.codes.includes(code)) return undefined;
      const got = code === undefined ? 'a result' : `the error ${code}`;
      return `expected the error ${outcome.codes.join(' or ')} (${outcome.why}), got ${got}`;
    },
  },
  {
    id: 'invalid-rejected',
    title: 'Invalid params get -32602',
    help: 'The document does not allow the params of the call. Reject them with -32602, or allow them in the document.',
    find: ({ response, expected: { outcome } }) => {
      if (outcome.kind !== 'invalid') return undefined;
      const code = codeOf(response);
      if (code === codes.invalidParams) return undefined;
      const got = code === undefined ? 'a result' : describeError(response);
      return `expected the error -32602 (${shorten(outcome.reason)}), got ${got}`;
    },
  },
  {
    id: 'example-response',
    title: 'Examples get the documented result',
    help: 'According to the OpenRPC specification, an example pairing shows the result to expect for exactly these params. If only its shape is promised, set `x-match: schema`.',
    find: ({ response, expected: { outcome } }) => {
      if (outcome.kind !== 'valid' || !outcome.example?.isExact) return undefined;
      const { result, error } = outcome.example;
      if (error !== undefined) return differentError(response, error);
      if (!('result' in response))
        return `expected the result of the example, got ${describeError(response)}`;
      const wanted = parseExact(`{"result":${result}}`) as JsonObject;
      const difference = findDifference(wanted, response, 'result');
      return difference === undefined ? undefined : `${difference} (example)`;
    },
  },
  {
    id: 'valid-accepted',
    title: 'Valid params are accepted',
    help: 'The document allows the params of the call, but the server returned -32602 or -32601.',
    find: ({ contract, response, expected: { outcome } }) => {
      if (outcome.kind !== 'valid' || outcome.example?.error !== undefined) return undefined;
      const code = codeOf(response);
      const isRefused = code === codes.invalidParams || code === codes.methodNotFound;
      return isRefused && !isNodeError(contract, response)
        ? `expected a result, got ${describeError(response)}`
        : undefined;
    },
  },
  {
    id: 'result-schema',
    title: 'Results match their schema',
    help: 'The result of the call is not valid for the schema of the method.',
    find: ({ contract, response, expected: { outcome } }) => {
      if (outcome.kind !== 'valid' || !('result' in response)) return undefined;
      const schema = resultSchemaOf(outcome.method, outcome.params);
      const [finding] = contract.check(schema, response['result']!);
      return finding === undefined ? undefined : `result${finding.path}: ${finding.what}`;
    },
  },
  {
    id: 'error-declared',
    title: 'Errors are declared',
    help: 'The method does not list an error with this code, or `x-errors` has no row with this code and `data.reason`.',
    find: ({ contract, response, expected: { outcome } }) => {
      const code = codeOf(response);
      if (code === undefined || isExampleError(response, outcome)) return undefined;
      if (outcome.kind === 'valid' && isNodeError(contract, response)) return undefined;
      const method = 'method' in outcome ? outcome.method : null;
      if (!isDeclared(contract, method, code)) {
        const known =
          method === null ? '' : `, expected one of ${[...method.errorCodes].join(', ')}`;
        return `undeclared error code ${code}${known}`;
      }
      const rows = contract.errors.filter((row) => row.code === code && row.reason !== null);
      const reason = reasonOf(response);
      const isKnown = reason === undefined || rows.some((row) => row.reason === reason);
      return rows.length === 0 || isKnown
        ? undefined
        : `undeclared reason ${reason} of the error ${code}`;
    },
  },
  {
    id: 'error-data',
    title: 'Error data matches its schema',
    help: 'The `data` of the error is not valid for the schema of any row of `x-errors` with its code.',
    find: ({ contract, response, expected: { outcome } }) => {
      const code = codeOf(response);
      if (code === undefined || isExampleError(response, outcome)) return undefined;
      const rows = contract.errors.filter((row) => row.code === code && row.data !== null);
      if (rows.length === 0 || rowOf(contract, response) !== undefined) return undefined;
      if (outcome.kind === 'valid' && isNodeError(contract, response)) return undefined;
      return `expected data that matches x-errors, got ${showMember(response['error'] as JsonObject, 'data')}`;
    },
  },
  {
    id: 'http-status',
    title: 'The HTTP status is as documented',
    help: 'A result has status 200; an error has the status of its row in `x-errors`, if there is one.',
    find: ({ contract, response, status, isBatch }) => {
      if (status === null || isBatch) return undefined;
      const wanted = 'result' in response ? 200 : rowOf(contract, response)?.status;
      return wanted === undefined || wanted === null || wanted === status
        ? undefined
        : `expected status ${wanted}, got ${status}`;
    },
  },
  {
    id: 'cost-charged',
    title: 'Calls cost what the document states',
    help: 'The header `x-behavior.costHeader` differs from `x-credits` of the method, or from 0 for a call that is not charged; or the usage of the account (`x-behavior.usage`) does not grow by that amount.',
    find: ({ contract, response, status, headers, isBatch, expected: { outcome } }) => {
      const { costHeader } = contract;
      if (costHeader === null || status === null || isBatch) return undefined;
      const wanted = costOf(contract, response, outcome);
      const got = headers[costHeader];
      if (wanted === undefined || (got ?? '0') === String(wanted)) return undefined;
      return `expected ${costHeader}: ${wanted}, got ${got ?? 'nothing'}`;
    },
  },
] as const satisfies readonly Check<ResponseSubject>[];
