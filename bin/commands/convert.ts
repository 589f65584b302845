import { Argument, type Command } from 'commander';
import { toOpenApi } from '../../generator/convert/openapi.ts';
import type { LoadOptions } from '../../generator/document.ts';
import { addDocumentOutput, writeDocument, type DocumentOutput } from './document-output.ts';
import { openDocument } from './open-document.ts';
import { allowRemoteOption, lenientOption, specArgument, resolveOption } from './options.ts';
import { examples } from './verb.ts';

/** `specgate convert`: writes a document in another format. */
export function register(command: Command): void {
  addDocumentOutput(command)
    .description(
      'Converts a document to OpenAPI 3.1, for gateways and tools that support only OpenAPI: one POST\n' +
        'operation per method, with its schemas, examples and errors.',
    )
    .addArgument(new Argument('<format>', 'target format').choices(['openapi']))
    .argument(...specArgument())
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addOption(lenientOption)
    .addHelpText('after', examples('convert openapi openrpc.json --out openapi.yaml'))
    .action(convert);
}

async function convert(
  _format: 'openapi',
  spec = 'openrpc.json',
  { out, format, ...options }: LoadOptions & DocumentOutput,
): Promise<void> {
  const { model } = await openDocument(spec, options);
  await writeDocument(toOpenApi(model), { out, format });
}
