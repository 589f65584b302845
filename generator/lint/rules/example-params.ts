import { textAt } from '../../model/member.ts';
import { schemaOf } from '../context.ts';
import { openrpc, rule } from '../rule.ts';
import { allMatches, isOmission, matchParams, pairings, valueOf } from './example-pairing.ts';

export const compatible = openrpc(
  'example-object',
  'the value is expected to be compatible with the schema; tools may reject it otherwise. In ethereum/execution-apis, 36 of 185 example values were incompatible (November 2026)',
);

export const exampleParams = [
  rule('example-param-valid', ['error', 'error'], {
    title: 'Example parameters are valid against their schema',
    protects: 'Readers copy examples; the server rejects an invalid one.',
    source: compatible,
    fix: 'correct the example or the schema',
    bad: `methods:
  - name: getBlock
    params: [{ name: hash, schema: { type: string, pattern: '^0x[0-9a-f]{64}$' } }]
    examples:
      - { name: latest, params: [{ name: hash, value: latest }] }`,
    good: `methods:
  - name: getBlock
    params: [{ name: tag, schema: { enum: [latest, earliest] } }]
    examples:
      - { name: latest, params: [{ name: tag, value: latest }] }`,
    *check(context) {
      for (const { method, param, given } of allMatches(context, { withErrors: false })) {
        const value = param && given && valueOf(given);
        if (!value || isOmission(method, param, value.value)) continue;
        for (const { path, what } of context.checkValue(schemaOf(param), value.value)) {
          const name = textAt(param.value, 'name');
          const message = `"${name}" in an example of "${method.name}": ${what}`;
          yield { pointer: value.pointer + path, message };
        }
      }
    },
  }),
  rule('example-param-missing', ['error', 'error'], {
    title: 'Examples have every required parameter',
    protects: 'A call without a required parameter is rejected: the example cannot work.',
    source: openrpc(
      'example-pairing-object',
      'the result is what to expect for exactly these params, so the call has to be valid',
    ),
    fix: 'add it to the example',
    bad: `methods:
  - name: getUser
    params: [{ name: id, required: true, schema: true }]
    examples: [{ name: first, params: [] }]`,
    good: `methods:
  - name: getUser
    params: [{ name: id, required: true, schema: true }]
    examples: [{ name: first, params: [{ name: id, value: 1 }] }]`,
    *check(context) {
      for (const { method, example, param, given } of allMatches(context, { withErrors: false })) {
        if (given !== null || param === null || param.value['required'] !== true) continue;
        const name = textAt(param.value, 'name');
        const message = `an example of "${method.name}" lacks "${name}", which is required`;
        yield { pointer: example.place, message };
      }
    },
  }),
  rule('example-param-unknown', ['error', 'error'], {
    title: 'Examples have no unknown parameters',
    protects: 'Additional parameters are ignored or rejected.',
    source: openrpc(
      'example-pairing-object',
      'params are examples of the parameters of the method',
    ),
    fix: 'remove it, or add the parameter to the method',
    bad: `methods:
  - name: getUser
    params: [{ name: id, schema: true }]
    examples: [{ name: first, params: [{ name: id, value: 1 }, { name: full, value: true }] }]`,
    good: `methods:
  - name: getUser
    params: [{ name: id, schema: true }, { name: full, schema: true }]
    examples: [{ name: first, params: [{ name: id, value: 1 }, { name: full, value: true }] }]`,
    *check(context) {
      for (const { method, param, given } of allMatches(context, { withErrors: false })) {
        if (param !== null || given === null) continue;
        const name = textAt(given.value, 'name');
        const message = `"${method.name}" has no parameter for "${name}" in its example`;
        yield { pointer: given.place, message };
      }
    },
  }),
  rule('example-param-name', ['warning', 'error'], {
    title: 'Example parameters are named like the parameters of the method',
    protects:
      'Some tools match example parameters by name, others by position; if the two differ, the tools show different calls.',
    source: openrpc(
      'example-object',
      'the name is the canonical name of the example. eth_feeHistory of @metamask/api-specs 0.15.0 has an example named newestblock for its parameter newestBlock; create_pet of petstore-openrpc.json (@open-rpc/examples 1.7.2) has one named tag for newPetTag',
    ),
    fix: 'use the name of the parameter',
    bad: `methods:
  - name: getBlock
    params: [{ name: blockHash, schema: true }]
    examples: [{ name: first, params: [{ name: Block Hash, value: '0x1' }] }]`,
    good: `methods:
  - name: getBlock
    params: [{ name: blockHash, schema: true }]
    examples: [{ name: first, params: [{ name: blockHash, value: '0x1' }] }]`,
    *check(context) {
      for (const { method, param, given } of allMatches(context, { withErrors: true })) {
        if (param === null || given === null) continue;
        const [wanted, found] = [textAt(param.value, 'name'), textAt(given.value, 'name')];
        // A shared example cannot have the name of every parameter that uses it.
        if (wanted === found || given.place !== given.pointer) continue;
        const message = `"${found}" in an example of "${method.name}" is in the position of "${wanted}"`;
        yield { pointer: given.place, message };
      }
    },
  }),
  rule('example-param-order', ['warning', 'error'], {
    title: 'Example parameters are in the order of the method',
    protects: 'If the example is called by position, its values go to the wrong parameters.',
    source: openrpc('method-object', 'params is an ordered list, and may be passed by position'),
    fix: 'use the order of the method',
    bad: `methods:
  - name: send
    paramStructure: by-position
    params: [{ name: to, schema: true }, { name: amount, schema: true }]
    examples: [{ name: pay, params: [{ name: amount, value: 1 }, { name: to, value: a }] }]`,
    good: `methods:
  - name: send
    paramStructure: by-position
    params: [{ name: to, schema: true }, { name: amount, schema: true }]
    examples: [{ name: pay, params: [{ name: to, value: a }, { name: amount, value: 1 }] }]`,
    *check(context) {
      for (const { method, example } of pairings(context)) {
        if (method.value['paramStructure'] === 'by-name') continue;
        const places = matchParams(context, method, example).flatMap(({ param, given }) =>
          given && param ? [given.place] : [],
        );
        const isOrdered = places.every(
          (place, i) => i === 0 || indexOf(place) > indexOf(places[i - 1]!),
        );
        if (isOrdered) continue;
        const message = `an example of "${method.name}" has its parameters in a different order`;
        yield { pointer: `${example.pointer}/params`, message };
      }
    },
  }),
];

function indexOf(place: string): number {
  return Number(place.slice(place.lastIndexOf('/') + 1));
}
