import type { Command } from 'commander';

interface Verb {
  /** One line for the list of verbs. */
  readonly summary: string;
  /** Loads its module, whose `register` adds the description, options and action. */
  load(): Promise<{ register(command: Command): unknown }>;
}

/** The verbs of the command line, by name. */
export const verbs: Readonly<Record<string, Verb>> = {
  dev: { summary: 'run the whole service with embedded nodes', load: () => import('./dev.ts') },
  serve: { summary: 'run the gateway in front of your nodes', load: () => import('./serve.ts') },
  init: {
    summary: 'set up Specgate in a repository with OpenRPC documents',
    load: () => import('./init.ts'),
  },
  generate: {
    summary: 'write types, validators, a server and clients from an OpenRPC document',
    load: () => import('./generate.ts'),
  },
  check: { summary: 'check that generated files are up to date', load: () => import('./check.ts') },
  lint: {
    summary: 'find errors and bad practices in OpenRPC documents',
    load: () => import('./lint.ts'),
  },
  mock: {
    summary: 'serve mock responses for an OpenRPC document',
    load: () => import('./mock.ts'),
  },
  proxy: {
    summary: 'forward calls to a server and report contract violations',
    load: () => import('./proxy.ts'),
  },
  verify: {
    summary: 'check that a running server conforms to its document',
    load: () => import('./verify.ts'),
  },
  diff: {
    summary: 'list the changes between two documents and flag breaking ones',
    load: () => import('./diff.ts'),
  },
  changelog: {
    summary: 'write release notes from two documents',
    load: () => import('./changelog.ts'),
  },
  bundle: {
    summary: 'merge a multi-file document into a single file',
    load: () => import('./bundle.ts'),
  },
  convert: {
    summary: 'convert a document to OpenAPI',
    load: () => import('./convert.ts'),
  },
  accounts: {
    summary: 'create, list and suspend accounts, and change their plans',
    load: () => import('./accounts.ts'),
  },
  keys: {
    summary: 'create, list, restrict, rotate and revoke API keys',
    load: () => import('./keys.ts'),
  },
  plans: { summary: 'list the plans', load: () => import('./plans.ts') },
  usage: {
    summary: 'show usage by account, day, key and method',
    load: () => import('./usage.ts'),
  },
};
