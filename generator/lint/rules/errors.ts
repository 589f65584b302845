import { textAt } from '../../model/member.ts';
import { componentElements, type Element, type LintContext } from '../context.ts';
import { jsonRpc, openrpc, rule } from '../rule.ts';
import { repeated } from './methods.ts';

/** The codes JSON-RPC 2.0 gives a meaning, and what it calls them. */
const PREDEFINED: ReadonlyMap<number, string> = new Map([
  [-32700, 'Parse error'],
  [-32600, 'Invalid Request'],
  [-32601, 'Method not found'],
  [-32602, 'Invalid params'],
  [-32603, 'Internal error'],
]);

const codeOf = ({ value }: Element) => Number(value['code']);

function allErrors({ document, methods }: LintContext): readonly Element[] {
  const shared = componentElements(document, 'errors');
  return [...shared, ...methods.flatMap(({ errors }) => errors)];
}

export const errors = [
  rule('duplicate-error-code', ['error', 'error'], {
    title: 'Error codes of a method are unique',
    protects: 'Clients distinguish errors by code; two errors with one code are ambiguous.',
    source: openrpc(
      'method-object',
      'the errors of a method MUST have unique error codes. wallet_watchAsset of @metamask/api-specs 0.15.0 has eight errors with the code -32602',
    ),
    fix: 'merge them and distinguish them by data, or change one code',
    bad: `methods:
  - name: buy
    errors: [{ code: 1, message: Sold out }, { code: 1, message: Too expensive }]`,
    good: `methods:
  - name: buy
    errors: [{ code: 1, message: Sold out }, { code: 2, message: Too expensive }]`,
    *check({ methods }) {
      for (const { errors, name } of methods) {
        yield* repeated(
          errors,
          (error) => String(codeOf(error)),
          (code) => `a second error of "${name}" has the code ${code}`,
        );
      }
    },
  }),
  rule('reserved-error-code', ['error', 'error'], {
    title: 'API errors do not use codes reserved for JSON-RPC',
    protects:
      'JSON-RPC reserves the codes from -32768 to -32100 for future versions, except for the five that it defines; servers may use -32099 to -32000.',
    source: jsonRpc(
      'error_object',
      'codes from -32768 to -32000 are reserved; any not defined there is reserved for future use',
    ),
    fix: 'use a code from -32099 to -32000, or one outside the reserved range',
    bad: `methods:
  - name: buy
    errors: [{ code: -32500, message: Sold out }]`,
    good: `methods:
  - name: buy
    errors: [{ code: -32001, message: Sold out }, { code: -32602, message: Invalid params }]`,
    *check(context) {
      for (const error of allErrors(context)) {
        const code = codeOf(error);
        if (code < -32768 || code > -32100 || PREDEFINED.has(code)) continue;
        const message = `the code ${code} is reserved for JSON-RPC`;
        yield { pointer: `${error.pointer}/code`, message };
      }
    },
  }),
  rule('error-code-meaning', ['error', 'error'], {
    title: 'JSON-RPC error codes keep their meaning',
    protects: 'Client libraries act on these codes and ignore the message.',
    source: jsonRpc('error_object', 'the table of the five defined codes and their meanings'),
    fix: 'use the matching code, or a different message',
    bad: `methods:
  - name: buy
    errors: [{ code: -32601, message: Invalid params }]`,
    good: `methods:
  - name: buy
    errors: [{ code: -32602, message: Invalid params }]`,
    *check(context) {
      for (const error of allErrors(context)) {
        const code = codeOf(error);
        const message = textAt(error.value, 'message').toLowerCase();
        for (const [other, meant] of PREDEFINED) {
          if (other === code || !message.startsWith(meant.toLowerCase())) continue;
          const own = PREDEFINED.get(code);
          const isOf = own === undefined ? '' : `, and ${code} is "${own}"`;
          const what = `the error ${code} is called "${meant}", which is ${other} in JSON-RPC${isOf}`;
          yield { pointer: error.pointer, message: what };
        }
      }
    },
  }),
  rule('error-message-sentence', ['warning', 'warning'], {
    title: 'Error messages are one concise sentence',
    protects: 'The message is shown in logs and dialogs; details belong in data.',
    source: openrpc('error-object', 'the message SHOULD be limited to a concise single sentence'),
    options: { max: 200 },
    fix: 'shorten it and move the details to data',
    bad: `methods:
  - name: buy
    errors: [{ code: 1, message: "Sold out.\\nTry again tomorrow." }]`,
    good: `methods:
  - name: buy
    errors: [{ code: 1, message: Sold out }]`,
    *check(context, { max }) {
      for (const error of allErrors(context)) {
        const message = textAt(error.value, 'message').trim();
        const pointer = `${error.pointer}/message`;
        if (message === '')
          yield { pointer, message: `the error ${codeOf(error)} has an empty message` };
        else if (/\n/.test(message))
          yield { pointer, message: 'the message has more than one line' };
        else if (message.length > max) {
          yield {
            pointer,
            message: `the message has ${message.length} characters, more than ${max}`,
          };
        }
      }
    },
  }),
  rule('method-errors', ['off', 'warning'], {
    title: 'Methods list their errors',
    protects: 'Clients have to handle errors; unlisted ones are discovered in production.',
    source: openrpc(
      'method-object',
      'errors lists the application defined errors a method may return. Requested in ethereum/execution-apis issue 658',
    ),
    fix: 'list its errors; use references for shared ones',
    bad: `methods:
  - name: buy
    result: { name: receipt, schema: true }`,
    good: `methods:
  - name: buy
    result: { name: receipt, schema: true }
    errors: [{ code: 1, message: Sold out }]`,
    *check({ methods }) {
      for (const { result, errors, name, place } of methods) {
        if (result === null || errors.length > 0) continue;
        yield { pointer: place, message: `"${name}" lists no errors` };
      }
    },
  }),
];
