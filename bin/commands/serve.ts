import type { Command } from 'commander';
import { renderJsonSchema } from '../../src/config/json-schema.ts';
import type { ServedAddresses } from '../../src/main/addresses.ts';
import { checkConfigFile, runGateway } from '../../src/main/serve.ts';
import { formatOption, wholeNumber, type OutputFormat } from './options.ts';
import { runService } from './run-service.ts';
import { examples, exitCodes } from './verb.ts';

const MAX_WORKERS = 256;

interface Options {
  readonly config: string;
  readonly workers: number;
  readonly check?: true;
  readonly printSchema?: true;
  readonly format: OutputFormat;
}

/** `specgate serve`: runs the gateway in front of your nodes. */
export function register(command: Command): void {
  command
    .description(
      'Serves the networks of a configuration file. SIGHUP reloads the file without dropping a\n' +
        'connection; if the new configuration is invalid, the current one stays. SIGTERM or Ctrl-C\n' +
        'stops the gateway after the calls in flight complete.',
    )
    .option('-c, --config <file>', 'configuration file, YAML', 'specgate.yaml')
    .option(
      '-w, --workers <number>',
      'number of processes that share the ports',
      wholeNumber(1, MAX_WORKERS),
      1,
    )
    .option('--check', 'check the configuration file and exit')
    .option('--print-schema', 'print the JSON Schema of the configuration file and exit')
    .addOption(formatOption())
    .addHelpText(
      'after',
      examples('serve --config specgate.yaml --check', 'serve --config specgate.yaml --workers 4'),
    )
    .action((options: Options) => {
      if (options.printSchema === true) return void process.stdout.write(renderJsonSchema());
      return runService(() => (options.check === true ? check(options) : serve(options)));
    });
}

function serve({ config: file, workers, format }: Options): Promise<number> {
  return runGateway({ file, env: process.env, workers }, ({ networks, docs, ops }) => {
    const addresses = { networks, docs, ops };
    console.log(format === 'json' ? JSON.stringify(addresses) : describe(addresses));
  });
}

async function check({ config: file, format }: Options): Promise<number> {
  const networks = await checkConfigFile({ file, env: process.env });
  console.log(
    format === 'json'
      ? JSON.stringify({ file, networks })
      : `${file} is valid; networks: ${networks.join(', ')}`,
  );
  return exitCodes.clean;
}

function describe({ networks, docs, ops }: ServedAddresses): string {
  const lines = networks.map(
    ({ name, http, ws }) => `  ${name}  ${http}/v3/<API_KEY>  ${ws}/ws/v3/<API_KEY>`,
  );
  if (docs !== undefined) lines.push(`  docs  ${docs}`);
  return ['Specgate is running.', '', ...lines, `  ops  ${ops}readyz  ${ops}metrics`].join('\n');
}
