/** What is wrong at one place of a configuration, with what mends it. */
export interface ConfigProblem {
  /** `file:line:column`, or the name of a variable. */
  readonly where: string;
  readonly what: string;
}

/** The configuration cannot be used. The message has one line for each problem. */
export class ConfigError extends Error {
  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ where, what }) => `${where}: ${what}`).join('\n'));
    this.name = 'ConfigError';
  }
}
