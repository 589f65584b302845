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
    summary: 'write types, validators, server and client from an OpenRPC document',
    load: () => import('./generate.ts'),
  },
  {
    name: 'check',
    summary: 'tell whether what was generated still fits the document',
    load: () => import('./check.ts'),
  },
  {
    name: 'lint',
    summary: 'find what is wrong, or will go wrong, with OpenRPC documents',
    load: () => import('./lint.ts'),
  },
  {
    name: 'mock',
    summary: 'serve answers made from an OpenRPC document',
    load: () => import('./mock.ts'),
  },
  {
    name: 'proxy',
    summary: 'pass calls on to a server and tell what breaks the document',
    load: () => import('./proxy.ts'),
  },
  {
    name: 'diff',
    summary: 'tell what changed between two documents, and what it breaks',
    load: () => import('./diff.ts'),
  },
  {
    name: 'changelog',
    summary: 'write release notes from two documents',
    load: () => import('./changelog.ts'),
  },
  {
    name: 'bundle',
    summary: 'put a document that is split over files into one',
    load: () => import('./bundle.ts'),
  },
  {
    name: 'accounts',
    summary: 'create and list accounts, change their plans, suspend them',
    load: () => import('./accounts.ts'),
  },
  {
    name: 'keys',
    summary: 'create, list, restrict, rotate and revoke API keys',
    load: () => import('./keys.ts'),
  },
  {
    name: 'plans',
    summary: 'list the plans of accounts',
    load: () => import('./plans.ts'),
  },
  {
    name: 'usage',
    summary: 'tell what accounts used, by day, key and method',
    load: () => import('./usage.ts'),
  },
];
