import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import { bundleFormats, printDocument, type BundleFormat } from '../../generator/bundle/print.ts';
import type { LoadOptions } from '../../generator/document.ts';
import { makeFolder } from '../../generator/files/folder.ts';
import { openDocument } from './open-document.ts';
import { allowRemoteOption, allowUnresolvedOption, readPath, specArgument } from './options.ts';
import { examples } from './verb.ts';

interface Options extends LoadOptions {
  readonly out?: string;
  readonly format?: BundleFormat;
}

/** `specgate bundle`: merges the files of a document into one. */
export function register(command: Command): void {
  command
    .description(
      'Merges all files that a document refers to into one document. References are kept:\n' +
        'schemas become components, named as before or after their file.',
    )
    .argument(...specArgument())
    .option('-o, --out <file>', 'write to a file instead of standard output', readPath)
    .addOption(
      new Option(
        '-f, --format <format>',
        'output format (default: by the extension of the file, or json)',
      ).choices(bundleFormats),
    )
    .addOption(allowRemoteOption)
    .addOption(allowUnresolvedOption)
    .addHelpText(
      'after',
      examples(
        'bundle api/openrpc.yaml --out openrpc.json',
        'bundle https://example.org/openrpc.json --format yaml',
      ),
    )
    .action(bundle);
}

async function bundle(spec = 'openrpc.json', { out, format, ...options }: Options): Promise<void> {
  const { model } = await openDocument(spec, options);
  const byName = /\.ya?ml$/i.test(out ?? '') ? 'yaml' : 'json';
  const text = printDocument(model.document, format ?? byName);
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  await makeFolder(dirname(out));
  // The user named this file, which may be a link or a device.
  await writeFile(out, text);
}
