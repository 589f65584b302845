import type { Command } from 'commander';
import { addVerb, administer, printRows, type AdminOptions } from './administer.ts';

/** Registers `specgate plans`. */
export function register(program: Command): void {
  const plans = program
    .command('plans')
    .summary('list plans')
    .description('Plans: credits per day, calls per second and call forwarding of accounts')
    .addHelpText('after', '\nExample:\n  $ specgate plans list');
  addVerb(plans, 'list', {
    description: 'List plans; empty columns are set per account',
    example: 'list --format json',
  }).action((options: AdminOptions) =>
    administer(
      options,
      async (store) => {
        const plans = await store.listPlans(null);
        printRows(options.format, plans, [
          ['plan', 'credits/day', 'calls/s', 'forwarding'],
          ...plans.map(({ name, creditsPerDay, callsPerSecond, forwarding }) => [
            name,
            creditsPerDay ?? '',
            callsPerSecond ?? '',
            forwarding ? 'yes' : 'no',
          ]),
        ]);
      },
      'use an empty one',
    ),
  );
}
