import {
  any,
  fresh,
  harmless,
  onMethod,
  onRow,
  ownParam,
  paramsOf,
  scale,
  structureOf,
} from './apply.ts';
import type { Mutation } from './mutation.ts';

/** Changes that break no call. */
export const harmlessMutations: readonly Mutation[] = [
  harmless('change nothing', () => true),
  harmless('add a method', (document) => {
    document.methods.push({
      name: 'addedByMutation',
      params: [],
      result: { name: 'r', schema: {} },
    });
    return true;
  }),
  harmless('reorder methods', (document) => document.methods.reverse().length > 1),
  harmless(
    'add an optional parameter at the end',
    onMethod(any, (method) => void method.params.push(fresh(false))),
  ),
  harmless(
    'reorder parameters by name',
    onMethod(
      (method) => structureOf(method) === 'by-name' && method.params.length > 1,
      (method) => void method.params.reverse(),
    ),
  ),
  harmless(
    'rename a parameter by position',
    onMethod(
      (method) => structureOf(method) === 'by-position' && method.params.length > 0,
      (method, { chance }, document) => {
        ownParam(document, method, Math.floor(chance() * method.params.length)).name = 'renamed';
      },
    ),
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
    'describe a method otherwise',
    onMethod(any, (method) => Object.assign(method, { summary: 'Other.', description: 'Words.' })),
  ),
  harmless(
    'declare another error',
    onMethod(any, (method) => {
      method['errors'] = [
        ...((method['errors'] ?? []) as unknown[]),
        { code: 4711, message: 'new' },
      ];
    }),
  ),
  harmless(
    'take examples away',
    onMethod(
      (method) => method['examples'] !== undefined,
      (method) => void delete method['examples'],
    ),
  ),
  harmless('add a server', (document) => {
    const servers = (document['servers'] ?? []) as unknown[];
    document['servers'] = [...servers, { name: 'added', url: 'https://added.example.org' }];
    return true;
  }),
  harmless(
    'raise the credits of a plan',
    onRow(
      'x-plans',
      ({ creditsPerDay }) => typeof creditsPerDay === 'number',
      (row) => (row['creditsPerDay'] = 1e9),
    ),
  ),
  harmless('raise a limit', (document) => {
    const limits = document['x-limits'] as Record<string, number> | undefined;
    if (limits === undefined) return false;
    document['x-limits'] = { ...limits, batchCalls: 1e6 };
    return true;
  }),
  harmless(
    'explain an error otherwise',
    onRow('x-errors', any, (row) => (row['cause'] = 'Otherwise.')),
  ),
  harmless('describe the service otherwise', (document) => {
    document['info'] = { ...(document['info'] as object), description: 'Other words.' };
    return true;
  }),
];
