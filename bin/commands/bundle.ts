import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import { bundleFormats, printDocument, type BundleFormat } from '../../generator/bundle/print.ts';
import { makeFolder } from '../../generator/files/folder.ts';
import {
  allowRemoteOption,
  allowUnresolvedOption,
  readPathOption,
  specArgument,
} from './document-arguments.ts';
import { openDocument } from './render-job.ts';

interface Options {
  readonly out?: string;
  readonly format?: BundleFormat;
  readonly allowUnresolved?: boolean;
  readonly allowRemote?: boolean;
}

/** `specgate bundle`: one document of one that is split over files. */
export function register(program: Command): void {
  program
    .command('bundle')
    .summary('put a document that is split over files into one')
    .description(
      'Takes everything a document refers to in other files into it. References are\n' +
        'kept, within the document: schemas become components, under the name they had\n' +
        'or that of their file.',
    )
    .addArgument(specArgument())
    .addOption(
      new Option('-o, --out <file>', 'write to a file instead of standard output').argParser(
        readPathOption,
      ),
    )
    .addOption(
      new Option(
        '-f, --format <format>',
        'of what is written (default: what the name of the file says, or json)',
      ).choices(bundleFormats),
    )
    .addOption(allowRemoteOption())
    .addOption(allowUnresolvedOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate bundle api/openrpc.yaml --out openrpc.json\n' +
        '  $ specgate bundle https://example.org/openrpc.json --format yaml',
    )
    .action(bundle);
}

async function bundle(
  spec = 'openrpc.json',
  { out, format, allowUnresolved = false, allowRemote = false }: Options,
): Promise<void> {
  const { model } = await openDocument(spec, { allowUnresolved, allowRemote });
  const text = printDocument(model.document, format ?? formatOf(out));
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  await makeFolder(dirname(out));
  // The user named this file, which may be a link or a device.
  await writeFile(out, text);
}

function formatOf(file = ''): BundleFormat {
  return /\.ya?ml$/i.test(file) ? 'yaml' : 'json';
}
