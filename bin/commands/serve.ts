import type { Command } from 'commander';
import { runGateway } from '../../src/main/run.ts';
import type { RunningGateway } from '../../src/main/start-gateway.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { runService } from './run-service.ts';

interface Options {
  readonly config: string;
  readonly format: OutputFormat;
}

/** `specgate serve`: the gateway in front of real nodes. */
export function register(program: Command): void {
  program
    .command('serve')
    .summary('run the gateway in front of your nodes')
    .description(
      'Serves the networks of a configuration file. Ends with SIGTERM or Ctrl-C, once the calls\n' +
        'under way are answered.',
    )
    .requiredOption('-c, --config <file>', 'the configuration, YAML')
    .addOption(formatOption())
    .addHelpText('after', '\nExample:\n  $ specgate serve --config specgate.yaml')
    .action(({ config, format }: Options) =>
      runService(() =>
        runGateway(config, process.env, ({ networks, docs, ops }) => {
          console.log(
            format === 'json'
              ? JSON.stringify({ networks, docs, ops })
              : tell({ networks, docs, ops }),
          );
        }),
      ),
    );
}

function tell({ networks, docs, ops }: Omit<RunningGateway, 'stop'>): string {
  const lines = networks.map(
    ({ name, http, ws }) => `  ${name}  ${http}/v3/<API_KEY>  ${ws}/ws/v3/<API_KEY>`,
  );
  if (docs !== undefined) lines.push(`  docs  ${docs}`);
  return ['Specgate is serving.', '', ...lines, `  ops  ${ops}readyz  ${ops}metrics`].join('\n');
}
