import { InvalidArgumentError, Option, type Command } from 'commander';
import { renderJsonSchema } from '../../src/config/json-schema.ts';
import { checkConfigFile, runGateway } from '../../src/main/run.ts';
import type { ServedConfig } from '../../src/main/served-config.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { runService } from './run-service.ts';
import { exitCodes } from './verb.ts';

interface Options {
  readonly config: string;
  readonly workers: number;
  readonly check?: true;
  readonly printSchema?: true;
  readonly format: OutputFormat;
}

/** `specgate serve`: the gateway in front of real nodes. */
export function register(program: Command): void {
  program
    .command('serve')
    .summary('run the gateway in front of your nodes')
    .description(
      'Serves the networks of a configuration file. SIGHUP reloads it: networks, limits, plans,\n' +
        'accounts and certificates change without a connection dropped, and a configuration that\n' +
        'cannot be used is refused while the one before is served on. Ends with SIGTERM or Ctrl-C,\n' +
        'once the calls under way are answered.',
    )
    .option('-c, --config <file>', 'the configuration, YAML', 'specgate.yaml')
    .addOption(
      new Option('-w, --workers <number>', 'processes that serve, sharing the ports')
        .argParser(readWorkers)
        .default(1),
    )
    .option('--check', 'check the configuration and what it names, and end')
    .option('--print-schema', 'print the JSON Schema of configurations, for editors, and end')
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate serve --config specgate.yaml --check\n' +
        '  $ specgate serve --config specgate.yaml --workers 4',
    )
    .action((options: Options) => {
      if (options.printSchema === true) return void process.stdout.write(renderJsonSchema());
      return runService(() => (options.check === true ? check(options) : serve(options)));
    });
}

function serve({ config: file, workers, format }: Options): Promise<number> {
  return runGateway({ file, env: process.env, workers }, ({ networks, docs, ops }) => {
    const told = { networks, docs, ops };
    console.log(format === 'json' ? JSON.stringify(told) : tell(told));
  });
}

async function check({ config: file, format }: Options): Promise<number> {
  const networks = await checkConfigFile({ file, env: process.env });
  console.log(
    format === 'json'
      ? JSON.stringify({ file, networks })
      : `${file} can be used; networks: ${networks.join(', ')}`,
  );
  return exitCodes.clean;
}

const MOST_WORKERS = 256;

function readWorkers(text: string): number {
  const workers = Number(text);
  if (Number.isInteger(workers) && workers >= 1 && workers <= MOST_WORKERS) return workers;
  throw new InvalidArgumentError(`Write a whole number from 1 to ${MOST_WORKERS}.`);
}

function tell({ networks, docs, ops }: Pick<ServedConfig, 'networks' | 'docs' | 'ops'>): string {
  const lines = networks.map(
    ({ name, http, ws }) => `  ${name}  ${http}/v3/<API_KEY>  ${ws}/ws/v3/<API_KEY>`,
  );
  if (docs !== undefined) lines.push(`  docs  ${docs}`);
  return ['Specgate is serving.', '', ...lines, `  ops  ${ops}readyz  ${ops}metrics`].join('\n');
}
