import { parseArgs } from 'node:util';

export interface Options {
  readonly json: boolean;
  /** For measuring, all servers and workloads together. */
  readonly seconds: number;
}

export const USAGE = `usage: node bench/gateway.ts [--json] [--seconds N]

Measures CPU time and throughput of Specgate beside a bare pass-through and @open-rpc/server-js, and
how it serves one account alone and beside a flood of another one.
  --json        print rows of JSON instead of a table
  --seconds N   warm up and measure for about N seconds in all, 1 to 600 (default 48)`;

/** Throws an Error that tells what is wrong with the arguments. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '48' },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds >= 1 && seconds <= 600)) throw new Error('--seconds must be 1 to 600');
  return { json: values.json, seconds };
}
