import { Argument, Option } from 'commander';

/** The document a verb works on. */
export function specArgument(): Argument {
  return new Argument(
    '[SPEC]',
    'OpenRPC document, JSON or YAML: a path, a URL, or - for standard input',
  ).default('openrpc.json');
}

/** The folder of what is generated. */
export function outOption(): Option {
  return new Option('-o, --out <dir>', 'folder of what is generated').default('generated');
}
