import { Option, type Command } from 'commander';
import { runMock } from '../../src/main/run-mock.ts';
import { describeService } from './describe-service.ts';
import { allowRemoteOption, allowUnresolvedOption, specArgument } from './document-arguments.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { openDocument } from './render-job.ts';
import { runService } from './run-service.ts';
import { addressOptions, wholeNumber } from './service-options.ts';

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
const MOST_LATENCY_MS = 60_000;

/** `specgate mock`: a server that needs nothing but a document. */
export function register(program: Command): void {
  const command = program
    .command('mock')
    .summary('serve answers made from the examples and schemas of an OpenRPC document')
    .description(
      'Serves the methods of an OpenRPC document by HTTP and WebSocket. A call whose params equal\n' +
        'those of an example gets the result or the error of the example; another call gets a\n' +
        'result made from the schema, the same for the same call and seed. Requests are checked as\n' +
        'strictly as the gateway checks them.\n\n' +
        'A request asks for an error by the header X-Mock-Error (a code, name or reason of the\n' +
        'method, or the name of an example), and for a delay by X-Mock-Latency (milliseconds).',
    )
    .addArgument(specArgument())
    .addOption(new Option('--seed <text>', 'seed of results made from schemas').default('specgate'))
    .addOption(
      new Option('--latency <ms>', 'milliseconds before every answer')
        .argParser(wholeNumber(0, MOST_LATENCY_MS))
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
          : `${title} ${version}, ${methods.length} methods, as a mock.\n  ${http}\n  ${ws}`,
      );
    });
  });
}
