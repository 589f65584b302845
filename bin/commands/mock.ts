import { Option, type Command } from 'commander';
import { onOneLine } from '../../common/escape/text.ts';
import { runMock } from '../../src/main/mock.ts';
import { describeService } from './describe-service.ts';
import { allowRemoteOption, allowUnresolvedOption, specArgument } from './document-arguments.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { openDocument } from './render-job.ts';
import { addressOptions, runService, wholeNumber } from './run-service.ts';

interface Options {
  readonly port: number;
  readonly host: string;
  readonly seed: string;
  readonly latency: number;
  readonly allowUnresolved?: boolean;
  readonly allowRemote?: boolean;
  readonly format: OutputFormat;
}

const PORT = 3030;
const MAX_LATENCY_MS = 60_000;

/** `specgate mock`: a server made from a document alone. */
export function register(program: Command): void {
  const command = program
    .command('mock')
    .summary('serve a mock of an OpenRPC document')
    .description(
      'Serves the methods of an OpenRPC document over HTTP and WebSocket. A call with the params of\n' +
        'an example gets the result or error of that example. Any other valid call gets a result\n' +
        'generated from the schema; equal calls and seeds give equal results. Invalid requests get\n' +
        'the same errors as from the gateway.\n\n' +
        'Request headers:\n' +
        '  X-Mock-Error    code, name or reason of an error of the method, or name of an example\n' +
        '  X-Mock-Latency  delay in milliseconds',
    )
    .addArgument(specArgument())
    .addOption(new Option('--seed <text>', 'seed of generated results').default('specgate'))
    .addOption(
      new Option('--latency <ms>', 'delay of every response, in milliseconds')
        .argParser(wholeNumber(0, MAX_LATENCY_MS))
        .default(0),
    )
    .addOption(allowRemoteOption())
    .addOption(allowUnresolvedOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate mock openrpc.json\n' +
        "  $ curl -s 127.0.0.1:3030 -H 'Content-Type: application/json' -H 'X-Mock-Error: -32603' \\\n" +
        '      -d \'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\'',
    )
    .action(mock);
  for (const option of addressOptions(PORT)) command.addOption(option);
}

function mock(spec = 'openrpc.json', options: Options): Promise<void> {
  const {
    port,
    host,
    seed,
    latency,
    format,
    allowUnresolved = false,
    allowRemote = false,
  } = options;
  return runService(async () => {
    const { model } = await openDocument(spec, { allowUnresolved, allowRemote });
    const service = describeService(model);
    const settings = { address: { host, port }, seed, latency_ms: latency };
    return runMock(service, settings, ({ http, ws }) => {
      const { title, version, methods } = service;
      console.log(
        format === 'json'
          ? JSON.stringify({ http, ws, methods: methods.map(({ name }) => name) })
          : `Mock of ${onOneLine(`${title} ${version}`)} with ${methods.length} methods is running.\n  ${http}\n  ${ws}`,
      );
    });
  });
}
