import type { Command } from 'commander';
import { runDev, type DevAddresses } from '../../src/main/dev.ts';
import { prepareOwnSite } from '../docs/own-site.ts';
import { formatOption, type OutputFormat } from './options.ts';
import { runService } from './run-service.ts';

/** `specgate dev`: the gateway in front of embedded nodes. */
export function register(command: Command): void {
  command
    .description(
      'Starts three nodes with fixed histories (an EVM node, a Solana node and a node that serves\n' +
        'a recorded chain), a gateway in front of them, and the documentation site. Stop it with SIGTERM or Ctrl-C.\n\n' +
        'Environment variables:\n' +
        '  EVM_PORT, SOLANA_PORT, ARCHIVE_PORT, DOCS_PORT, OPS_PORT\n' +
        '                 ports to listen on; 0 picks a free port\n' +
        '  SPECGATE_HOME  data folder\n' +
        '  SPECGATE_LOG   log level',
    )
    .addOption(formatOption())
    .addHelpText('after', '\nExample:\n  $ EVM_PORT=0 specgate dev')
    .action(dev);
}

function dev({ format }: { readonly format: OutputFormat }): Promise<void> {
  const docsReady = prepareOwnSite();
  // The documentation port reports a failure when it is opened.
  docsReady.catch(() => undefined);
  return runService(() =>
    runDev({ env: process.env, docsReady }, (addresses) => {
      console.log(format === 'json' ? JSON.stringify(addresses) : describe(addresses));
    }),
  );
}

function describe({ key, networks, docs, ops }: DevAddresses): string {
  const { evm, solana, archive } = networks;
  const call = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}';
  return `Specgate is running. API key: ${key}

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

Press Ctrl-C to stop.`;
}
