import {
  any,
  hasParams,
  harmless,
  newParam,
  onMethod,
  ownParam,
  paramsOf,
  removeMember,
  scale,
  setBatchLimit,
  setInRow,
} from './apply.ts';
import type { Mutation } from './mutation.ts';

/** Changes that do not break any call. */
export const harmlessMutations: readonly Mutation[] = [
  harmless('change nothing', any),
  harmless('add a method', ({ methods }) => {
    const result = { name: 'r', schema: {} };
    return methods.push({ name: 'addedByMutation', params: [], result }) > 0;
  }),
  harmless('reorder methods', (document) => document.methods.reverse().length > 1),
  harmless(
    'add an optional parameter at the end',
    onMethod(any, (method) => void method.params.push(newParam(false))),
  ),
  harmless(
    'reorder parameters by name',
    onMethod(hasParams(2, 'by-name'), (method) => void method.params.reverse()),
  ),
  harmless(
    'rename a parameter by position',
    onMethod(hasParams(1, 'by-position'), (method, { chance }, document) => {
      ownParam(document, method, Math.floor(chance() * method.params.length)).name = 'renamed';
    }),
  ),
  harmless(
    'make a parameter optional',
    onMethod(
      (method, document) => paramsOf(method, document).at(-1)?.required === true,
      (method, _, document) => {
        ownParam(document, method, method.params.length - 1).required = false;
      },
    ),
  ),
  harmless(
    'accept parameters either way',
    onMethod(any, (method) => (method['paramStructure'] = 'either')),
  ),
  harmless(
    'deprecate with a date',
    onMethod(
      (method) => method['deprecated'] !== true,
      (method) => Object.assign(method, { deprecated: true, 'x-sunset': '2099-01-01' }),
    ),
  ),
  harmless('lower the price', scale('x-credits', 0.5)),
  harmless(
    'change the documentation of a method',
    onMethod(any, (method) => Object.assign(method, { summary: 'Other.', description: 'Words.' })),
  ),
  harmless(
    'declare another error',
    onMethod(any, (method) => {
      const errors = (method['errors'] ?? []) as unknown[];
      method['errors'] = [...errors, { code: 4711, message: 'new' }];
    }),
  ),
  harmless('remove examples', removeMember('examples')),
  harmless('add a server', (document) => {
    const servers = (document['servers'] ?? []) as unknown[];
    document['servers'] = [...servers, { name: 'added', url: 'https://added.example.org' }];
    return true;
  }),
  harmless('raise the credits of a plan', setInRow('x-plans', 'creditsPerDay', 1e9)),
  harmless('raise a limit', setBatchLimit(1e6)),
  harmless('change the documentation of an error', setInRow('x-errors', 'cause', 'Otherwise.')),
  harmless('change the documentation of the service', (document) => {
    document['info'] = { ...(document['info'] as object), description: 'Other words.' };
    return true;
  }),
];
