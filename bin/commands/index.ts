import type { Verb } from './verb.ts';

/** The verbs of the command line. */
export const verbs: readonly Verb[] = [
  {
    name: 'dev',
    summary: 'run the whole service on embedded nodes',
    load: () => import('./dev.ts'),
  },
  {
    name: 'serve',
    summary: 'run the gateway in front of your nodes',
    load: () => import('./serve.ts'),
  },
  {
    name: 'generate',
    summary: 'write types, validators, a server and clients from an OpenRPC document',
    load: () => import('./generate.ts'),
  },
  {
    name: 'check',
    summary: 'check that generated files are up to date',
    load: () => import('./check.ts'),
  },
  {
    name: 'lint',
    summary: 'find errors and bad practices in OpenRPC documents',
    load: () => import('./lint.ts'),
  },
  {
    name: 'mock',
    summary: 'serve example answers for an OpenRPC document',
    load: () => import('./mock.ts'),
  },
  {
    name: 'proxy',
    summary: 'forward calls to a server and report contract violations',
    load: () => import('./proxy.ts'),
  },
  {
    name: 'diff',
    summary: 'list the changes between two documents and what they break',
    load: () => import('./diff.ts'),
  },
  {
    name: 'changelog',
    summary: 'write release notes from two documents',
    load: () => import('./changelog.ts'),
  },
  {
    name: 'bundle',
    summary: 'merge a document that is split over files into one',
    load: () => import('./bundle.ts'),
  },
  {
    name: 'accounts',
    summary: 'create, list and suspend accounts, and change their plans',
    load: () => import('./accounts.ts'),
  },
  {
    name: 'keys',
    summary: 'create, list, restrict, rotate and revoke API keys',
    load: () => import('./keys.ts'),
  },
  {
    name: 'plans',
    summary: 'list the plans',
    load: () => import('./plans.ts'),
  },
  {
    name: 'usage',
    summary: 'show usage by account, day, key and method',
    load: () => import('./usage.ts'),
  },
];
