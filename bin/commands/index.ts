import type { Verb } from './verb.ts';

/** The verbs of the command line. */
export const verbs: readonly Verb[] = [
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
];
