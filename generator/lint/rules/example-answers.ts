import { isObject } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import { schemaOf } from '../context.ts';
import { openrpc, rule } from '../rule.ts';
import { compatible } from './example-params.ts';
import { expectedError, pairings, valueOf } from './example-pairing.ts';
import { repeated } from './methods.ts';

export const exampleAnswers = [
  rule('example-result-valid', ['error', 'error'], {
    title: 'Example results are valid against their schema',
    protects:
      'Mocks return them and clients are tested with them; both then differ from the server.',
    source: compatible,
    fix: 'correct the example or the schema',
    bad: `methods:
  - name: getHeight
    result: { name: height, schema: { type: integer } }
    examples:
      - { name: now, params: [], result: { name: height, value: '0x10' } }`,
    good: `methods:
  - name: getHeight
    result: { name: height, schema: { type: integer } }
    examples:
      - { name: now, params: [], result: { name: height, value: 16 } }`,
    *check(context) {
      for (const { method, example, result } of pairings(context)) {
        const value = result && valueOf(result);
        if (!value || method.result === null || expectedError(example) !== null) continue;
        for (const { path, what } of context.checkValue(schemaOf(method.result), value.value)) {
          const message = `the result in an example of "${method.name}": ${what}`;
          yield { pointer: value.pointer + path, message };
        }
      }
    },
  }),
  rule('example-result-presence', ['warning', 'error'], {
    title: 'Examples have a result unless the method is a notification',
    protects:
      'An example without a result shows only half of the call; a notification with a result promises a response that is never sent.',
    source: openrpc(
      'example-pairing-object',
      'the example pairing is a set of example params and result; a method without a result is a notification',
    ),
    fix: 'add the result, an x- member with the error, or a result to the method',
    bad: `methods:
  - name: getHeight
    result: { name: height, schema: true }
    examples: [{ name: now, params: [] }]`,
    good: `methods:
  - name: getHeight
    result: { name: height, schema: true }
    examples: [{ name: now, params: [], result: { name: height, value: 16 } }]`,
    *check(context) {
      for (const { method, example, result } of pairings(context)) {
        if (method.result !== null && result === null && expectedError(example) === null) {
          yield { pointer: example.place, message: `an example of "${method.name}" has no result` };
        }
        if (method.result === null && result !== null) {
          const message = `an example of "${method.name}", a notification, has a result`;
          yield { pointer: `${example.pointer}/result`, message };
        }
      }
    },
  }),
  rule('example-error-declared', ['error', 'error'], {
    title: 'Errors in examples (x-error) are listed by the method',
    protects: 'Clients that handle the listed errors do not handle the one in the example.',
    source: openrpc(
      'method-object',
      'errors lists the application defined errors that may be returned. OpenRPC has no error examples (open-rpc/spec issue 355); x-error adds them',
    ),
    fix: 'add the error to the method, or correct its code',
    bad: `methods:
  - name: buy
    errors: [{ code: 1, message: Sold out }]
    examples: [{ name: none left, params: [], x-error: { code: 2 } }]`,
    good: `methods:
  - name: buy
    errors: [{ code: 1, message: Sold out }]
    examples: [{ name: none left, params: [], x-error: { code: 1 } }]`,
    *check(context) {
      for (const { method, example } of pairings(context)) {
        const error = example.value['x-error'];
        const code = isObject(error) ? error['code'] : undefined;
        const codes = method.errors.map(({ value }) => value['code']);
        if (typeof code !== 'number' || codes.length === 0 || codes.includes(code)) continue;
        const message = `"${method.name}" has no error with the code ${code}`;
        yield { pointer: `${example.pointer}/x-error`, message };
      }
    },
  }),
  rule('duplicate-example', ['warning', 'error'], {
    title: 'Example names of a method are unique',
    protects: 'Documentation links to an example by its name, and test reports name it.',
    source: openrpc('example-pairing-object', 'name is the name of the example pairing'),
    fix: 'describe in the name what the example shows',
    bad: `methods:
  - name: getUser
    examples: [{ name: example, params: [] }, { name: example, params: [] }]`,
    good: `methods:
  - name: getUser
    examples: [{ name: known, params: [] }, { name: unknown, params: [] }]`,
    *check({ methods }) {
      for (const { examples, name } of methods) {
        yield* repeated(
          examples,
          ({ value }) => textAt(value, 'name') || null,
          (key) => `a second example of "${name}" is called "${key}"`,
        );
      }
    },
  }),
];
