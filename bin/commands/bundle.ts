import type { Command } from 'commander';
import type { LoadOptions } from '../../generator/document.ts';
import { addDocumentOutput, writeDocument, type DocumentOutput } from './document-output.ts';
import { openDocument } from './open-document.ts';
import { allowRemoteOption, allowUnresolvedOption, specArgument } from './options.ts';
import { examples } from './verb.ts';

/** `specgate bundle`: merges the files of a document into one. */
export function register(command: Command): void {
  addDocumentOutput(command)
    .description(
      'Merges all files that a document refers to into one document. References are kept:\n' +
        'schemas become components, named as before or after their file.',
    )
    .argument(...specArgument())
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

async function bundle(
  spec = 'openrpc.json',
  { out, format, ...options }: LoadOptions & DocumentOutput,
): Promise<void> {
  const { model } = await openDocument(spec, options);
  await writeDocument(model.document, { out, format });
}
