import {
  any,
  breaking,
  fresh,
  hasDefault,
  isByPosition,
  onMethod,
  onRow,
  ownParam,
  paramsOf,
  removeFrom,
  scale,
  structureOf,
} from './apply.ts';
import type { Mutation } from './mutation.ts';

/** Changes of methods, parameters, errors, prices, servers and plans that break calls. */
export const breakingMutations: readonly Mutation[] = [
  breaking(
    'remove a method',
    [
      'method-removed-without-deprecation',
      'method-removed-before-sunset',
      'method-removed-deprecated',
    ],
    onMethod(any, (method, _, { methods }) => void methods.splice(methods.indexOf(method), 1)),
  ),
  breaking(
    'rename a method',
    [
      'method-renamed',
      'method-removed-without-deprecation',
      'method-removed-before-sunset',
      'method-removed-deprecated',
    ],
    onMethod(any, (method) => (method.name += 'Renamed')),
  ),
  breaking(
    'add a required parameter',
    ['param-added-required'],
    onMethod(any, (method) => void method.params.push(fresh(true))),
  ),
  breaking(
    'insert a parameter before others',
    ['param-inserted'],
    onMethod(
      (method) => isByPosition(method) && method.params.length > 0,
      (method) => void method.params.unshift(fresh(false)),
    ),
  ),
  breaking(
    'remove a parameter',
    ['param-removed'],
    onMethod(
      (method) => method.params.length > 0,
      (method, { chance }) =>
        void method.params.splice(Math.floor(chance() * method.params.length), 1),
    ),
  ),
  breaking(
    'reorder parameters by position',
    ['params-reordered'],
    onMethod(
      (method) => isByPosition(method) && method.params.length > 1,
      (method) => void method.params.reverse(),
    ),
  ),
  breaking(
    'rename a parameter by name',
    ['named-param-renamed', 'param-removed'],
    onMethod(
      (method) => structureOf(method) !== 'by-position' && method.params.length > 0,
      (method, { chance }, document) => {
        ownParam(document, method, Math.floor(chance() * method.params.length)).name = 'renamed';
      },
    ),
  ),
  breaking(
    'make a parameter required',
    ['param-became-required'],
    onMethod(
      (method, document) => paramsOf(method, document).some(({ required }) => required !== true),
      (method, _, document) => {
        const index = paramsOf(method, document).findIndex(({ required }) => required !== true);
        ownParam(document, method, index).required = true;
      },
    ),
  ),
  breaking(
    'change a default',
    ['param-default-changed'],
    onMethod(
      (method, document) => paramsOf(method, document).some(hasDefault),
      (method, _, document) => {
        const index = paramsOf(method, document).findIndex(hasDefault);
        const param = ownParam(document, method, index);
        param['schema'] = { ...(param['schema'] as object), default: 'changed by mutation' };
      },
    ),
  ),
  breaking(
    'narrow the structure of parameters',
    ['param-structure-narrowed'],
    onMethod(
      (method) => structureOf(method) === 'either' && method.params.length > 0,
      (method, { pick }) => (method['paramStructure'] = pick(['by-name', 'by-position'])),
    ),
  ),
  breaking(
    'take the result away',
    ['result-removed'],
    onMethod(
      (method) => method['result'] !== undefined,
      (method) => void delete method['result'],
    ),
  ),
  breaking('raise the price', ['credits-raised'], scale('x-credits', 1.5)),
  breaking(
    'withdraw forwarding',
    ['forwarding-withdrawn'],
    onMethod(
      (method) => method['x-forwarding'] !== undefined,
      (method) => void delete method['x-forwarding'],
    ),
  ),
  breaking(
    'withdraw a transport',
    ['transport-withdrawn'],
    onMethod(
      (method) =>
        ((method['x-transports'] as { supported?: unknown[] } | undefined)?.supported ?? [])
          .length > 1,
      (method) => {
        const transports = method['x-transports'] as { supported: string[] };
        method['x-transports'] = { ...transports, supported: transports.supported.slice(1) };
      },
    ),
  ),
  breaking(
    'change the network family',
    ['network-family-changed'],
    onMethod(
      (method) => method['x-network-family'] !== undefined,
      (method) => (method['x-network-family'] = 'other'),
    ),
  ),
  breaking(
    'lower the stability',
    ['stability-lowered'],
    onMethod(
      (method) => method['x-stability'] === 'stable',
      (method, { pick }) => (method['x-stability'] = pick(['beta', 'experimental'])),
    ),
  ),
  breaking(
    'move a sunset earlier',
    ['sunset-moved-earlier'],
    onMethod(
      (method) => method['x-sunset'] !== undefined,
      (method) => (method['x-sunset'] = '2097-01-01'),
    ),
  ),
  breaking('change the code of an error', ['error-code-changed'], (document, { pick }) => {
    const { errors = {} } = (document['components'] ?? {}) as {
      errors?: Record<string, { code: number }>;
    };
    const rows = (document['x-errors'] ?? []) as { error?: string }[];
    const covered = new Set(rows.map(({ error }) => error));
    const error = pick(Object.entries(errors).filter(([name]) => !covered.has(name)));
    if (error === undefined) return false;
    error[1].code = 4711;
    return true;
  }),
  breaking(
    'change the HTTP status of an error',
    ['error-status-changed'],
    onRow(
      'x-errors',
      ({ status }) => typeof status === 'number',
      (row) => (row['status'] = 418),
    ),
  ),
  breaking(
    'change the reason of an error',
    ['error-reason-changed'],
    onRow(
      'x-errors',
      ({ reason }) => typeof reason === 'string',
      (row) => (row['reason'] = 'otherwise'),
    ),
  ),
  breaking('remove a server', ['server-removed'], onRow('servers', any, removeFrom)),
  breaking(
    'change the address of a server',
    ['server-url-changed', 'server-removed'],
    onRow('servers', any, (row) => (row['url'] = 'https://moved.example.org')),
  ),
  breaking('remove a plan', ['plan-removed'], onRow('x-plans', any, removeFrom)),
  breaking(
    'lower the credits of a plan',
    ['plan-credits-lowered'],
    onRow(
      'x-plans',
      ({ creditsPerDay }) => typeof creditsPerDay === 'number',
      (row) => (row['creditsPerDay'] = 1),
    ),
  ),
  breaking(
    'lower the rate of a plan',
    ['plan-rate-lowered'],
    onRow(
      'x-plans',
      ({ callsPerSecond }) => typeof callsPerSecond === 'number',
      (row) => (row['callsPerSecond'] = 1),
    ),
  ),
  breaking(
    'withdraw forwarding from a plan',
    ['plan-forwarding-withdrawn'],
    onRow(
      'x-plans',
      ({ forwarding }) => forwarding === true,
      (row) => (row['forwarding'] = false),
    ),
  ),
  breaking('lower a limit', ['limit-lowered'], (document) => {
    const limits = document['x-limits'] as Record<string, number> | undefined;
    if (limits === undefined) return false;
    document['x-limits'] = { ...limits, batchCalls: 1 };
    return true;
  }),
];
