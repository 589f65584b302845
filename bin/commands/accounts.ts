import type { Command } from 'commander';
import { createAccount, listAccounts, setPlan, setSuspended } from '../../src/admin/accounts.ts';
import { formatTable } from '../../src/admin/text-table.ts';
import { readCount, showMoment } from '../../src/admin/values.ts';
import type { AccountEntry } from '../../src/store/administration.ts';
import type { AccountTerms } from '../../src/store/records.ts';
import { administer, storeOption, type StoreOptions } from './administer.ts';
import { formatOption, type OutputFormat } from './output-format.ts';

interface Options extends StoreOptions {
  readonly format: OutputFormat;
}

interface TermsOptions extends Options {
  readonly plan: string;
  readonly creditsPerDay?: string;
  readonly callsPerSecond?: string;
}

/** `specgate accounts`: who may call, and how much. */
export function register(program: Command): void {
  const accounts = program
    .command('accounts')
    .summary('create and list accounts, change their plans, suspend them')
    .description('Accounts: who may call, and how much. Running gateways follow within a second.')
    .addHelpText('after', '\nExample:\n  $ specgate accounts create acme --plan developer');
  const verb = (name: string, summary: string, example: string): Command =>
    accounts
      .command(name)
      .description(summary)
      .addOption(storeOption())
      .addOption(formatOption())
      .addHelpText('after', `\nExample:\n  $ specgate accounts ${example}`);

  withTerms(
    verb('create <id>', 'Creates an account.', 'create acme --plan developer').requiredOption(
      '-p, --plan <name>',
      'free, developer, team or custom; see: specgate plans list',
    ),
  ).action((id: string, options: TermsOptions) =>
    administer(
      options,
      async (store) => {
        tell(options, [await createAccount(store, termsOf(id, options.plan, options))]);
      },
      'make',
    ),
  );

  verb('list', 'Lists the accounts.', 'list --format json').action((options: Options) =>
    administer(options, async (store) => tell(options, await listAccounts(store))),
  );

  withTerms(
    verb(
      'set-plan <id> <plan>',
      'Puts an account on another plan; numbers not given are those of the plan.',
      'set-plan acme custom --credits-per-day 200000000 --calls-per-second 1000',
    ),
  ).action((id: string, plan: string, options: TermsOptions) =>
    administer(options, async (store) => {
      tell(options, [await setPlan(store, termsOf(id, plan, options))]);
    }),
  );

  verb('suspend <id>', 'Refuses all keys of an account.', 'suspend acme').action(
    (id: string, options: Options) =>
      administer(options, async (store) => tell(options, [await setSuspended(store, id, true)])),
  );

  verb('resume <id>', 'Accepts the keys of a suspended account again.', 'resume acme').action(
    (id: string, options: Options) =>
      administer(options, async (store) => tell(options, [await setSuspended(store, id, false)])),
  );
}

function withTerms(verb: Command): Command {
  return verb
    .option('--credits-per-day <count>', 'credits of its own, in place of the plan’s')
    .option('--calls-per-second <count>', 'calls of its own, in place of the plan’s');
}

function termsOf(
  id: string,
  plan: string,
  { creditsPerDay, callsPerSecond }: TermsOptions,
): AccountTerms {
  const count = (text: string | undefined, option: string): number | null =>
    text === undefined ? null : readCount(text, option);
  return {
    id,
    plan,
    creditsPerDay: count(creditsPerDay, '--credits-per-day'),
    callsPerSecond: count(callsPerSecond, '--calls-per-second'),
  };
}

function tell({ format }: Options, accounts: readonly AccountEntry[]): void {
  if (format === 'json') {
    console.log(JSON.stringify(accounts, null, 2));
    return;
  }
  const heads = ['account', 'plan', 'credits/day', 'calls/s', 'forwarding', 'keys', 'suspended'];
  const rows = accounts.map((account) => [
    account.id,
    account.plan,
    account.creditsPerDay,
    account.callsPerSecond,
    account.forwarding ? 'yes' : 'no',
    account.keys,
    account.suspendedAt_ms === null ? '' : `since ${showMoment(account.suspendedAt_ms)}`,
  ]);
  console.log(formatTable(heads, rows));
}
