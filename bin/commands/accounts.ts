import type { Command } from 'commander';
import { createAccount, listAccounts, setPlan, setSuspended } from '../../src/admin/accounts.ts';
import { formatTime, readCount } from '../../src/admin/values.ts';
import type { AccountEntry, AccountTerms } from '../../src/store/records.ts';
import { addVerb, administer, printRows, type AdminOptions } from './administer.ts';

interface TermsOptions extends AdminOptions {
  readonly plan: string;
  readonly creditsPerDay?: string;
  readonly callsPerSecond?: string;
}

/** Registers `specgate accounts`. */
export function register(program: Command): void {
  const accounts = program
    .command('accounts')
    .summary('create, list and suspend accounts, change their plans')
    .description('Accounts; running gateways apply changes within a second')
    .addHelpText('after', '\nExample:\n  $ specgate accounts create acme --plan developer');

  const create = addVerb(accounts, 'create <id>', {
    description: 'Create an account',
    example: 'create acme --plan developer',
  }).requiredOption(
    '-p, --plan <name>',
    'free, developer, team or custom; see specgate plans list',
  );
  withQuotas(create).action((id: string, options: TermsOptions) =>
    administer(
      options,
      async (store) => {
        print(options, [await createAccount(store, termsOf(id, options.plan, options))]);
      },
      'create',
    ),
  );

  addVerb(accounts, 'list', {
    description: 'List accounts',
    example: 'list --format json',
  }).action((options: AdminOptions) =>
    administer(options, async (store) => print(options, await listAccounts(store))),
  );

  const setPlanVerb = addVerb(accounts, 'set-plan <id> <plan>', {
    description: "Change the plan of an account; quotas not given are the plan's",
    example: 'set-plan acme custom --credits-per-day 200000000 --calls-per-second 1000',
  });
  withQuotas(setPlanVerb).action((id: string, plan: string, options: TermsOptions) =>
    administer(options, async (store) => {
      print(options, [await setPlan(store, termsOf(id, plan, options))]);
    }),
  );

  for (const [name, description, isSuspended] of [
    ['suspend', 'Reject all keys of an account', true],
    ['resume', 'Accept the keys of a suspended account again', false],
  ] as const) {
    addVerb(accounts, `${name} <id>`, { description, example: `${name} acme` }).action(
      (id: string, options: AdminOptions) =>
        administer(options, async (store) =>
          print(options, [await setSuspended(store, id, isSuspended)]),
        ),
    );
  }
}

function withQuotas(verb: Command): Command {
  return verb
    .option('--credits-per-day <count>', "override the plan's credits per day")
    .option('--calls-per-second <count>', "override the plan's calls per second");
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

function print({ format }: AdminOptions, accounts: readonly AccountEntry[]): void {
  printRows(format, accounts, [
    ['account', 'plan', 'credits/day', 'calls/s', 'forwarding', 'keys', 'suspended'],
    ...accounts.map((account) => [
      account.id,
      account.plan,
      account.creditsPerDay,
      account.callsPerSecond,
      account.forwarding ? 'yes' : 'no',
      account.keys,
      account.suspendedAt_ms === null ? '' : `since ${formatTime(account.suspendedAt_ms)}`,
    ]),
  ]);
}
