import { Argument, InvalidArgumentError, Option } from 'commander';
import { targetNames } from '../../generator/targets/index.ts';

/** The document a verb works on, and what it is where none is named. */
export function specArgument(fallback = 'openrpc.json'): Argument {
  return new Argument(
    '[SPEC]',
    `OpenRPC document, JSON or YAML: a path, a URL, or - for standard input (default: ${fallback})`,
  );
}

/** The folder of what is generated. */
export function outOption(): Option {
  return new Option(
    '-o, --out <dir>',
    'folder of what is generated (default: generated)',
  ).argParser(readPathOption);
}

/** A path that an option names: an empty one is a variable that is not set, not the folder at hand. */
export function readPathOption(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/** Which targets are meant: those of the table, and others the verb has. */
export function targetOption(what: string, others: readonly string[] = []): Option {
  return new Option('-t, --target <name...>', what).choices([...targetNames, ...others]);
}

/** The project file to read. */
export function configOption(): Option {
  return new Option('-c, --config <file>', 'project file (default: specgate.config.yaml)');
}

/** Whether references lead to other origins than the document's own. */
export function allowRemoteOption(): Option {
  return new Option(
    '--allow-remote',
    'follow references to other hosts (default: only to the origin a document was downloaded from)',
  );
}

/** Whether references that cannot be followed make a document unusable. */
export function allowUnresolvedOption(): Option {
  return new Option(
    '--allow-unresolved',
    'allow anything where a schema is a reference that cannot be followed, instead of refusing the document',
  );
}
