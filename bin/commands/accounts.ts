import type { Command } from 'commander';
import { createAccount, listAccounts, setPlan, setSuspended } from '../../src/admin/accounts.ts';
import { formatTime, readCount } from '../../src/admin/values.ts';
import type { AccountEntry, AccountTerms } from '../../src/store/records.ts';
import { addVerb, printRows, type AdminOptions } from './administer.ts';
import { examples } from './verb.ts';

interface TermsOptions extends AdminOptions {
  readonly plan: string;
  readonly creditsPerDay?: string;
  readonly callsPerSecond?: string;
}

/** `specgate accounts`. */
export function register(command: Command): void {
  command
    .description(
      'Creates, lists and suspends accounts. Running gateways apply changes within a second.',
    )
    .addHelpText('after', examples('accounts create acme --plan developer'));

  const create = addVerb(command, 'create <id>', {
    description: 'create an account',
    example: 'create acme --plan developer',
    access: 'write',
    async run(store, options: TermsOptions, id: string) {
      print(options, await createAccount(store, termsOf(id, options.plan, options)));
    },
  }).requiredOption(
    '-p, --plan <name>',
    'free, developer, team or custom; see specgate plans list',
  );
  withQuotas(create).option('--create-store', 'create the store if it does not exist');

  addVerb(command, 'list', {
    description: 'list accounts',
    example: 'list --format json',
    access: 'read',
    async run(store, options: AdminOptions) {
      print(options, ...(await listAccounts(store)));
    },
  });

  const change = addVerb(command, 'set-plan <id> <plan>', {
    description:
      'change the plan of an account; omitted quotas are reset to the values of the plan',
    example: 'set-plan acme custom --credits-per-day 200000000 --calls-per-second 1000',
    access: 'write',
    async run(store, options: TermsOptions, id: string, plan: string) {
      print(options, await setPlan(store, termsOf(id, plan, options)));
    },
  });
  withQuotas(change);

  for (const [name, description, isSuspended] of [
    ['suspend', 'reject all keys of an account', true],
    ['resume', 'accept the keys of a suspended account again', false],
  ] as const) {
    addVerb(command, `${name} <id>`, {
      description,
      example: `${name} acme`,
      access: 'write',
      async run(store, options: AdminOptions, id: string) {
        print(options, await setSuspended(store, id, isSuspended));
      },
    });
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

function print({ format }: AdminOptions, ...accounts: readonly AccountEntry[]): void {
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
