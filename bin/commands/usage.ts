import type { Command } from 'commander';
import { formatCsv, formatTable } from '../../src/admin/text-table.ts';
import { reportUsage, type UsageReport } from '../../src/admin/usage.ts';
import { readDay } from '../../src/admin/values.ts';
import { addStoreOptions, administer, type StoreOptions } from './administer.ts';
import { formatOption } from './options.ts';
import { examples } from './verb.ts';

interface Options extends StoreOptions {
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly format: 'text' | 'json' | 'csv';
}

/** `specgate usage`. */
export function register(command: Command): void {
  command.description(
    'Shows usage by UTC day, key and method; without dates, for today. Running gateways report\n' +
      'their usage at least every 15 s (limits.lease_ttl_ms) and when they stop.\n' +
      '"leased" credits are held by running gateways; "lost" ones belonged to leases that expired\n' +
      'before their gateway returned them.',
  );
  addStoreOptions(command)
    .option('-a, --account <id>', 'show only this account')
    .option('--from <date>', 'first UTC day, such as 2026-11-01')
    .option('--to <date>', 'last UTC day')
    .addOption(formatOption(['text', 'json', 'csv']))
    .addHelpText('after', examples('usage --account acme --from 2026-11-01 --format csv'))
    .action(({ account, from, to, format, ...options }: Options) =>
      administer(options, 'read', async (store) => {
        const report = await reportUsage(store, {
          accountId: account,
          from: from && readDay(from),
          to: to && readDay(to),
        });
        console.log(formats[format](report));
      }),
    );
}

const formats = { json: formatJson, csv: formatRows, text: formatTables };

function formatJson({ days, rows }: UsageReport): string {
  const output = {
    days: days.map(({ accountId: account, ...day }) => ({ account, ...day })),
    rows: rows.map(({ accountId: account, keyId: key, ...row }) => ({ account, key, ...row })),
  };
  return JSON.stringify(output, null, 2);
}

/** Lost credits have rows of their own, without key and method. */
function formatRows({ days, rows }: UsageReport): string {
  const used = rows.map((row) => {
    return [row.day, row.accountId, 'used', row.keyId, row.method, row.calls, row.credits];
  });
  const lost = days
    .filter((day) => day.lost > 0)
    .map((day) => [day.day, day.accountId, 'lost', '', '', 0, day.lost]);
  const headers = ['day', 'account', 'kind', 'key', 'method', 'calls', 'credits'];
  return formatCsv(headers, [...used, ...lost]);
}

function formatTables({ days, rows }: UsageReport): string {
  if (days.length === 0) return 'no usage';
  const totals = formatTable(
    ['day', 'account', 'credits/day', 'spent', 'lost', 'leased', 'remaining'],
    days.map((day) => [
      day.day,
      day.accountId,
      day.creditsPerDay ?? '',
      day.spent,
      day.lost,
      day.leased,
      day.remaining ?? '',
    ]),
  );
  const lines = formatTable(
    ['day', 'account', 'key', 'method', 'calls', 'credits'],
    rows.map((row) => [row.day, row.accountId, row.keyId, row.method, row.calls, row.credits]),
  );
  return `${totals}\n\n${lines}`;
}
