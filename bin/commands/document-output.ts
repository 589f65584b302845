import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option, type Command } from 'commander';
import type { JsonObject } from '../../common/json/value.ts';
import { bundleFormats, printDocument, type BundleFormat } from '../../generator/bundle/print.ts';
import { makeFolder } from '../../generator/files/folder.ts';
import { readPath } from './options.ts';

/** Where and how a verb writes a document. */
export interface DocumentOutput {
  readonly out?: string | undefined;
  readonly format?: BundleFormat | undefined;
}

export function addDocumentOutput(command: Command): Command {
  return command
    .option('-o, --out <file>', 'write to a file instead of standard output', readPath)
    .addOption(
      new Option(
        '-f, --format <format>',
        'output format (default: from the extension of --out, otherwise json)',
      ).choices(bundleFormats),
    );
}

export async function writeDocument(
  document: JsonObject,
  { out, format }: DocumentOutput,
): Promise<void> {
  const byName = /\.ya?ml$/i.test(out ?? '') ? 'yaml' : 'json';
  const text = printDocument(document, format ?? byName);
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  await makeFolder(dirname(out));
  // The user named this file, which may be a link or a device.
  await writeFile(out, text);
}
