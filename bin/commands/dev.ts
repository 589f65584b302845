import type { Command } from 'commander';
import type { DevAddresses } from '../../src/main/dev.ts';
import { runDev } from '../../src/main/run.ts';
import { prepareOwnSite } from '../docs/own-site.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { runService } from './run-service.ts';

/** `specgate dev`: the whole service on embedded defaults. */
export function register(program: Command): void {
  program
    .command('dev')
    .summary('run the whole service on embedded nodes')
    .description(
      'Starts an EVM node, a Solana ledger and a recorded chain, each with a fixed history, the\n' +
        'gateway in front of them, and the documentation. Ports are taken from EVM_PORT,\n' +
        'SOLANA_PORT, ARCHIVE_PORT, DOCS_PORT and OPS_PORT (0: any free one), the folder of the\n' +
        'state from SPECGATE_HOME, the log level from SPECGATE_LOG. Ends with SIGTERM or Ctrl-C.',
    )
    .addOption(formatOption())
    .addHelpText('after', '\nExample:\n  $ EVM_PORT=0 specgate dev')
    .action(dev);
}

function dev({ format }: { readonly format: OutputFormat }): Promise<void> {
  const docsReady = prepareOwnSite();
  // Told by the documentation port, when it is asked.
  docsReady.catch(() => undefined);
  return runService(() =>
    runDev({ env: process.env, docsReady }, (addresses) => {
      console.log(format === 'json' ? JSON.stringify(addresses) : tell(addresses));
    }),
  );
}

function tell({ key, networks, docs, ops }: DevAddresses): string {
  const { evm, solana, archive } = networks;
  const call = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}';
  return `Specgate is up. The API key is "${key}".

  EVM      ${evm.http}
           ${evm.ws}
  Solana   ${solana.http}
           ${solana.ws}
  archive  ${archive.http}
           ${archive.ws}
  docs     ${docs}
  ops      ${ops}readyz  ${ops}metrics

Try it:
  curl -s ${evm.http} -H 'Content-Type: application/json' -d '${call}'

Ctrl-C stops everything.`;
}
