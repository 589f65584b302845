import {
  any,
  breaking,
  hasParams,
  newParam,
  onFirstParam,
  onMethod,
  ownParam,
  removeMember,
  removeRow,
  scale,
  setBatchLimit,
  setInRow,
} from './apply.ts';
import type { PlainParam } from './corpus.ts';
import type { Mutation } from './mutation.ts';

const REMOVED = [
  'method-removed-without-deprecation',
  'method-removed-before-sunset',
  'method-removed-deprecated',
];

const hasDefault = ({ schema }: PlainParam) =>
  (schema as { default?: unknown } | undefined)?.default !== undefined;
const transportsOf = (method: Record<string, unknown>) =>
  (method['x-transports'] as { supported?: string[] } | undefined)?.supported ?? [];

/** Changes of methods, parameters, errors, prices, servers and plans that break calls. */
export const breakingMutations: readonly Mutation[] = [
  breaking(
    'remove a method',
    REMOVED,
    onMethod(any, (method, _, { methods }) => void methods.splice(methods.indexOf(method), 1)),
  ),
  breaking(
    'rename a method',
    ['method-renamed', ...REMOVED],
    onMethod(any, (method) => (method.name += 'Renamed')),
  ),
  breaking(
    'add a required parameter',
    ['param-added-required'],
    onMethod(any, (method) => void method.params.push(newParam(true))),
  ),
  breaking(
    'insert a parameter before others',
    ['param-inserted'],
    onMethod(
      hasParams(1, 'by-position', 'either'),
      (method) => void method.params.unshift(newParam(false)),
    ),
  ),
  breaking(
    'remove a parameter',
    ['param-removed'],
    onMethod(
      hasParams(1),
      ({ params }, { chance }) => void params.splice(Math.floor(chance() * params.length), 1),
    ),
  ),
  breaking(
    'reorder parameters by position',
    ['params-reordered'],
    onMethod(hasParams(2, 'by-position', 'either'), (method) => void method.params.reverse()),
  ),
  breaking(
    'rename a parameter by name',
    ['named-param-renamed', 'param-removed'],
    onMethod(hasParams(1, 'by-name', 'either'), (method, { chance }, document) => {
      ownParam(document, method, Math.floor(chance() * method.params.length)).name = 'renamed';
    }),
  ),
  breaking(
    'make a parameter required',
    ['param-became-required'],
    onFirstParam(
      ({ required }) => required !== true,
      (param) => (param.required = true),
    ),
  ),
  breaking(
    'change a default',
    ['param-default-changed'],
    onFirstParam(hasDefault, (param) => {
      param['schema'] = { ...(param['schema'] as object), default: 'changed by mutation' };
    }),
  ),
  breaking(
    'narrow the structure of parameters',
    ['param-structure-narrowed'],
    onMethod(
      hasParams(1, 'either'),
      (method, { pick }) => (method['paramStructure'] = pick(['by-name', 'by-position'])),
    ),
  ),
  breaking('remove the result', ['result-removed'], removeMember('result')),
  breaking('raise the price', ['credits-raised'], scale('x-credits', 1.5)),
  breaking('withdraw forwarding', ['forwarding-withdrawn'], removeMember('x-forwarding')),
  breaking(
    'withdraw a transport',
    ['transport-withdrawn'],
    onMethod(
      (method) => transportsOf(method).length > 1,
      (method) => {
        const supported = transportsOf(method).slice(1);
        method['x-transports'] = { ...(method['x-transports'] as object), supported };
      },
    ),
  ),
  breaking(
    'change the network family',
    ['network-family-changed'],
    setInRow('methods', 'x-network-family', 'other'),
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
    setInRow('methods', 'x-sunset', '2097-01-01'),
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
    setInRow('x-errors', 'status', 418),
  ),
  breaking(
    'change the reason of an error',
    ['error-reason-changed'],
    setInRow('x-errors', 'reason', 'otherwise'),
  ),
  breaking('remove a server', ['server-removed'], removeRow('servers')),
  breaking(
    'change the URL of a server',
    ['server-url-changed', 'server-removed'],
    setInRow('servers', 'url', 'https://moved.example.org'),
  ),
  breaking('remove a plan', ['plan-removed'], removeRow('x-plans')),
  breaking(
    'lower the credits of a plan',
    ['plan-credits-lowered'],
    setInRow('x-plans', 'creditsPerDay', 1),
  ),
  breaking(
    'lower the rate of a plan',
    ['plan-rate-lowered'],
    setInRow('x-plans', 'callsPerSecond', 1),
  ),
  breaking(
    'withdraw forwarding from a plan',
    ['plan-forwarding-withdrawn'],
    setInRow('x-plans', 'forwarding', false),
  ),
  breaking('lower a limit', ['limit-lowered'], setBatchLimit(1)),
];
