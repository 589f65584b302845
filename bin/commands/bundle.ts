import { InvalidArgumentError, Option, type Command } from 'commander';
import { DocumentError, unusable } from '../../common/diagnostic.ts';
import { cloneExact } from '../../common/json/exact.ts';
import type { JsonObject } from '../../common/json/value.ts';
import {
  lowerVersion,
  lowerVersions,
  type LowerVersion,
} from '../../generator/bundle/lower-version.ts';
import { replaceServers } from '../../generator/bundle/replace-servers.ts';
import { stripExtensions } from '../../generator/bundle/strip-extensions.ts';
import type { LoadedDocument, LoadOptions } from '../../generator/document.ts';
import { addDocumentOutput, writeDocument, type DocumentOutput } from './document-output.ts';
import { openDocument } from './open-document.ts';
import { allowRemoteOption, specArgument, resolveOption } from './options.ts';
import { counted, examples } from './verb.ts';

/** How the bundled document is changed for tools with limited support. */
interface Rewrite {
  readonly openrpc?: LowerVersion;
  readonly stripExtensions?: boolean;
  readonly server?: string;
}

/** `specgate bundle`: merges the files of a document into one. */
export function register(command: Command): void {
  addDocumentOutput(command)
    .description(
      'Merges all files that a document refers to into one document. References are kept:\n' +
        'each schema becomes a component, under its own name or the name of its file.',
    )
    .argument(...specArgument())
    .addOption(
      new Option(
        '--openrpc <version>',
        'downgrade to this OpenRPC version, for tools that support nothing newer',
      ).choices(lowerVersions),
    )
    .option('--strip-extensions', 'remove all extensions (x-…), for tools that reject them')
    .option('--server <url>', 'replace the servers of the document with this URL', readUrl)
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addHelpText(
      'after',
      examples(
        'bundle api/openrpc.yaml --out openrpc.json',
        'bundle https://example.org/openrpc.json --format yaml',
        'bundle --openrpc 1.2.6 --strip-extensions --server http://127.0.0.1:8545/v3/demo',
      ),
    )
    .action(bundle);
}

async function bundle(
  spec = 'openrpc.json',
  { out, format, ...options }: LoadOptions & DocumentOutput & Rewrite,
): Promise<void> {
  await writeDocument(rewrite(await openDocument(spec, { ...options, lenient: true }), options), {
    out,
    format,
  });
}

function rewrite({ model, locate }: LoadedDocument, options: Rewrite): JsonObject {
  const { openrpc, server } = options;
  const document = cloneExact(model.document);
  if (openrpc !== undefined) {
    const { leftOut, diagnostics } = lowerVersion(document, openrpc);
    if (diagnostics.length > 0) {
      throw new DocumentError(
        diagnostics.map(({ pointer, ...says }) => unusable(locate(pointer), says)),
      );
    }
    const examples = counted(leftOut, 'example');
    if (leftOut > 0) console.error(`omitted ${examples} without a result (OpenRPC ${openrpc})`);
  }
  if (server !== undefined) replaceServers(document, server);
  if (options.stripExtensions === true) stripExtensions(document);
  return document;
}

function readUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('Expected an address such as http://127.0.0.1:8545/v3/demo.');
}
