import { InvalidArgumentError, Option } from 'commander';

/** Reads a whole number of a range, for commander. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

const MOST_PORT = 65_535;

/** Where a service that is tried out listens: this machine alone, unless told otherwise. */
export function addressOptions(port: number): readonly Option[] {
  return [
    new Option('-p, --port <n>', 'port to listen on; 0: any free one')
      .argParser(wholeNumber(0, MOST_PORT))
      .default(port),
    new Option('--host <address>', 'address to listen on').default('127.0.0.1'),
  ];
}
