export interface ConfigProblem {
  /** `file:line:column`, or the name of an environment variable. */
  readonly where: string;
  readonly what: string;
}

/** An invalid configuration; the message has one line per problem. */
export class ConfigError extends Error {
  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ where, what }) => `${where}: ${what}`).join('\n'));
    this.name = 'ConfigError';
  }
}
