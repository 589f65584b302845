import type { Command } from 'commander';
import { addVerb, printRows, type AdminOptions } from './administer.ts';
import { examples } from './verb.ts';

/** `specgate plans`. */
export function register(command: Command): void {
  command
    .description(
      'Lists the plans with their credits per day and calls per second, and whether calls may be\n' +
        'forwarded to a partner.',
    )
    .addHelpText('after', examples('plans list'));
  addVerb(command, 'list', {
    description: 'list plans; an empty quota means that each account has its own',
    example: 'list --format json',
    access: 'read, empty if missing',
    async run(store, { format }: AdminOptions) {
      const plans = await store.listPlans(null);
      printRows(format, plans, [
        ['plan', 'credits/day', 'calls/s', 'forwarding'],
        ...plans.map(({ name, creditsPerDay, callsPerSecond, forwarding }) => [
          name,
          creditsPerDay ?? '',
          callsPerSecond ?? '',
          forwarding ? 'yes' : 'no',
        ]),
      ]);
    },
  });
}
