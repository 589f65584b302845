import { Option, type Command } from 'commander';
import { formatCsv, formatTable } from '../../src/admin/text-table.ts';
import { reportUsage, type UsageReport } from '../../src/admin/usage.ts';
import { readDay } from '../../src/admin/values.ts';
import { administer, storeOption, type StoreOptions } from './administer.ts';

interface Options extends StoreOptions {
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: 'text' | 'json' | 'csv';
}

/** `specgate usage`: what accounts used. */
export function register(program: Command): void {
  program
    .command('usage')
    .summary('tell what accounts used, by day, key and method')
    .description(
      'Tells what accounts used, by UTC day, key and method: today, unless days are given. Running\n' +
        'gateways report within the time their leases live (15 s by default), and when they stop.\n' +
        '"leased" is what they hold, "forfeited" what was held by gateways that died.',
    )
    .addOption(storeOption())
    .option('-a, --account <id>', 'of this account only')
    .option('--from <day>', 'first UTC day, such as 2026-11-01')
    .option('--to <day>', 'last UTC day')
    .addOption(
      new Option('-f, --format <format>', 'how to tell it')
        .choices(['text', 'json', 'csv'])
        .default('text'),
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ specgate usage --account acme --from 2026-11-01 --format csv',
    )
    .action(tellUsage);
}

function tellUsage({ account, from, to, format, ...options }: Options): Promise<void> {
  return administer(options, async (store) => {
    const report = await reportUsage(store, {
      accountId: account,
      from: from === undefined ? undefined : readDay(from),
      to: to === undefined ? undefined : readDay(to),
    });
    console.log(formats[format](report));
  });
}

const formats: Readonly<Record<Options['format'], (report: UsageReport) => string>> = {
  json: ({ days, rows }) =>
    JSON.stringify(
      {
        days: days.map(({ accountId, ...day }) => ({ account: accountId, ...day })),
        rows: rows.map(({ accountId, keyId, ...row }) => ({
          account: accountId,
          key: keyId,
          ...row,
        })),
      },
      null,
      2,
    ),
  // One row a line; what was lost stands for itself, without a key and a method.
  csv: ({ days, rows }) =>
    formatCsv(
      ['day', 'account', 'kind', 'key', 'method', 'calls', 'credits'],
      [
        ...rows.map((row) => [
          row.day,
          row.accountId,
          'used',
          row.keyId,
          row.method,
          row.calls,
          row.credits,
        ]),
        ...days
          .filter(({ forfeited }) => forfeited > 0)
          .map(({ day, accountId, forfeited }) => [
            day,
            accountId,
            'forfeited',
            '',
            '',
            0,
            forfeited,
          ]),
      ],
    ),
  text: ({ days, rows }) => {
    if (days.length === 0) return 'nothing was used';
    const totals = formatTable(
      ['day', 'account', 'credits/day', 'spent', 'forfeited', 'leased', 'remaining'],
      days.map((day) => [
        day.day,
        day.accountId,
        day.creditsPerDay ?? '',
        day.spent,
        day.forfeited,
        day.leased,
        day.remaining ?? '',
      ]),
    );
    const lines = formatTable(
      ['day', 'account', 'key', 'method', 'calls', 'credits'],
      rows.map((row) => [row.day, row.accountId, row.keyId, row.method, row.calls, row.credits]),
    );
    return `${totals}\n\n${lines}`;
  },
};
