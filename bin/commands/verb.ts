import type { Command } from 'commander';

/** A verb of the command line, loaded only when it is called. */
export interface Verb {
  readonly name: string;
  /** One line for the list of verbs. */
  readonly summary: string;
  load(): Promise<VerbModule>;
}

/** What the file of a verb exports. */
export interface VerbModule {
  /** Adds the verb, with its options and what it does, to the program. */
  register(program: Command): void | Promise<void>;
}

/** What a command ends with: nothing to say, something found, or nothing to work on. */
export const exitCodes = { clean: 0, findings: 1, unusable: 2 } as const;
