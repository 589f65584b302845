import type { Command } from 'commander';
import { onOneLine } from '../../common/escape/text.ts';
import type { LoadOptions } from '../../generator/document.ts';
import { runMock } from '../../src/main/mock.ts';
import { describeService } from './describe-service.ts';
import { openDocument } from './open-document.ts';
import {
  addAddress,
  allowRemoteOption,
  lenientOption,
  formatOption,
  specArgument,
  wholeNumber,
  type OutputFormat,
  resolveOption,
} from './options.ts';
import { runService } from './run-service.ts';
import { toJsonLine } from './verb.ts';

interface Options extends LoadOptions {
  readonly port: number;
  readonly host: string;
  readonly seed: string;
  readonly latency: number;
  readonly format: OutputFormat;
}

const PORT = 3030;
const MAX_LATENCY_MS = 60_000;

/** `specgate mock`: a server made from a document alone. */
export function register(command: Command): void {
  command
    .description(
      'Serves the methods of an OpenRPC document over HTTP and WebSocket. A call with the params of\n' +
        'an example gets the result or error of that example. Any other valid call gets a result\n' +
        'generated from the schema; the same call and seed always give the same result. Invalid\n' +
        'requests get the errors that the gateway returns.\n\n' +
        'Request headers:\n' +
        '  X-Mock-Error    code, name or reason of an error of the method, or name of an example\n' +
        '  X-Mock-Latency  delay in milliseconds',
    )
    .argument(...specArgument())
    .option('--seed <text>', 'seed for generated results', 'specgate')
    .option(
      '--latency <ms>',
      'delay of every response, in milliseconds',
      wholeNumber(0, MAX_LATENCY_MS),
      0,
    )
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addOption(lenientOption)
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate mock openrpc.json\n' +
        "  $ curl -s 127.0.0.1:3030 -H 'Content-Type: application/json' -H 'X-Mock-Error: -32603' \\\n" +
        '      -d \'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\'',
    )
    .action(mock);
  addAddress(command, PORT);
}

function mock(spec = 'openrpc.json', options: Options): Promise<void> {
  const { port, host, seed, latency, format } = options;
  return runService(async () => {
    const { model } = await openDocument(spec, options);
    const service = describeService(model);
    const settings = { address: { host, port }, seed, latency_ms: latency };
    return runMock(service, settings, ({ http, ws }) => {
      const { title, version, methods } = service;
      console.log(
        format === 'json'
          ? toJsonLine({ http, ws, methods: methods.map(({ name }) => name) })
          : `Mock of ${onOneLine(`${title} ${version}`)} with ${methods.length} methods is running.\n  ${http}\n  ${ws}`,
      );
    });
  });
}
