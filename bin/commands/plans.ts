import type { Command } from 'commander';
import { formatTable } from '../../src/admin/text-table.ts';
import type { Store } from '../../src/store/store.ts';
import { administer, storeOption, type StoreOptions } from './administer.ts';
import { formatOption, type OutputFormat } from './output-format.ts';

interface Options extends StoreOptions {
  readonly format: OutputFormat;
}

/** `specgate plans`: what accounts can be put on. */
export function register(program: Command): void {
  program
    .command('plans')
    .summary('list the plans of accounts')
    .description('Plans: credits a day, calls a second and request forwarding of an account.')
    .addHelpText('after', '\nExample:\n  $ specgate plans list')
    .command('list')
    .description('Lists the plans; what is empty is set for each account.')
    .addOption(storeOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExample:\n  $ specgate plans list --format json')
    .action(list);
}

function list(options: Options): Promise<void> {
  return administer(options, (store) => tell(options, store), 'do without');
}

async function tell({ format }: Options, store: Store): Promise<void> {
  const plans = await store.listPlans(null);
  if (format === 'json') {
    console.log(JSON.stringify(plans, null, 2));
    return;
  }
  const heads = ['plan', 'credits/day', 'calls/s', 'forwarding'];
  const rows = plans.map(({ name, creditsPerDay, callsPerSecond, forwarding }) => [
    name,
    creditsPerDay ?? '',
    callsPerSecond ?? '',
    forwarding ? 'yes' : 'no',
  ]);
  console.log(formatTable(heads, rows));
}
