import { joinPointer } from '../../../common/json/pointer.ts';
import { isObject } from '../../../common/json/value.ts';
import { textAt } from '../../model/member.ts';
import { schemaOf } from '../context.ts';
import { openrpc, rule } from '../rule.ts';
import { compatible } from './example-params.ts';
import { expectedError, pairings, valueOf } from './example-pairing.ts';
import { repeated } from './methods.ts';

const resultValid = rule({
  id: 'example-result-valid',
  levels: { recommended: 'error', strict: 'error' },
  title: 'Values of example results are valid against their schemas',
  protects:
    'Mocks answer with them and clients are tested against them: both then differ from the server.',
  source: compatible,
  fix: 'correct the example, or the schema if it is the one that is wrong',
  bad: `
methods:
  - name: getHeight
    result: { name: height, schema: { type: integer } }
    examples:
      - { name: now, params: [], result: { name: height, value: '0x10' } }`,
  good: `
methods:
  - name: getHeight
    result: { name: height, schema: { type: integer } }
    examples:
      - { name: now, params: [], result: { name: height, value: 16 } }`,
  *check(context) {
    for (const { method, example, result } of pairings(context)) {
      const value = result && valueOf(result);
      if (!value || method.result === null || expectedError(example) !== null) continue;
      for (const { path, what } of context.checkValue(schemaOf(method.result), value.value)) {
        yield {
          pointer: value.pointer + path,
          message: `the result in an example of "${method.name}": ${what}`,
        };
      }
    }
  },
});

const resultPresence = rule({
  id: 'example-result-presence',
  levels: { recommended: 'warning', strict: 'error' },
  title: 'Examples have a result where the method has one, and none for a notification',
  protects:
    'An example without its result shows half of the call; one too many promises an answer that never comes.',
  source: openrpc(
    'example-pairing-object',
    'the example pairing is a set of example params and result; a method without a result is a notification',
  ),
  fix: 'add the result, or an x- member that says which error it is, or the result of the method',
  bad: `
methods:
  - name: getHeight
    result: { name: height, schema: true }
    examples: [{ name: now, params: [] }]`,
  good: `
methods:
  - name: getHeight
    result: { name: height, schema: true }
    examples: [{ name: now, params: [], result: { name: height, value: 16 } }]`,
  *check(context) {
    for (const { method, example, result } of pairings(context)) {
      if (method.result !== null && result === null && expectedError(example) === null) {
        yield { pointer: example.place, message: `an example of "${method.name}" has no result` };
      }
      if (method.result === null && result !== null) {
        yield {
          pointer: joinPointer(example.pointer, 'result'),
          message: `an example of "${method.name}", a notification, has a result`,
        };
      }
    }
  },
});

const errorDeclared = rule({
  id: 'example-error-declared',
  levels: { recommended: 'error', strict: 'error' },
  title: 'Errors in examples (x-error) are among those the method lists',
  protects: 'The example shows an error that whoever reads the list of errors does not handle.',
  source: openrpc(
    'method-object',
    'errors lists the application defined errors that may be returned. OpenRPC has no example for an error (open-rpc/spec issue 355); x-error is the extension that has',
  ),
  fix: 'list the error in the method, or correct its code',
  bad: `
methods:
  - name: buy
    errors: [{ code: 1, message: Sold out }]
    examples: [{ name: none left, params: [], x-error: { code: 2 } }]`,
  good: `
methods:
  - name: buy
    errors: [{ code: 1, message: Sold out }]
    examples: [{ name: none left, params: [], x-error: { code: 1 } }]`,
  *check(context) {
    for (const { method, example } of pairings(context)) {
      const error = example.value['x-error'];
      const code = isObject(error) ? error['code'] : undefined;
      const codes = method.errors.map(({ value }) => value['code']);
      if (typeof code !== 'number' || codes.length === 0 || codes.includes(code)) continue;
      yield {
        pointer: joinPointer(example.pointer, 'x-error'),
        message: `"${method.name}" lists no error with the code ${code}`,
      };
    }
  },
});

const duplicateExample = rule({
  id: 'duplicate-example',
  levels: { recommended: 'warning', strict: 'error' },
  title: 'The examples of a method have different names',
  protects: 'Documentation links to an example by its name, and test reports name it.',
  source: openrpc('example-pairing-object', 'name is the name of the example pairing'),
  fix: 'say in the name what is special about it',
  bad: `
methods:
  - name: getUser
    examples: [{ name: example, params: [] }, { name: example, params: [] }]`,
  good: `
methods:
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
});

export const exampleAnswers = [resultValid, resultPresence, errorDeclared, duplicateExample];
