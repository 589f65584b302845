/**
 * Simulates many gateways that lease the credits of many accounts from one store, with crashes and cut
 * networks, in virtual time: `npm run bench:leases`.
 */
import { parseArgs } from 'node:util';
import type { Exchange } from './leases/instance.ts';
import { replay } from './leases/replay.ts';
import { simulate, type SimulationFigures, type SimulationOptions } from './leases/simulate.ts';
import { defaultCreditLimits } from '../src/credits/limits.ts';
import { runBenchmark, UsageError } from './options.ts';
import { format, formatRows } from './table.ts';

const USAGE = `usage: node bench/leases.simulation.ts [--instances N] [--accounts N] [--calls N]
          [--seconds N] [--spread N] [--scarce N] [--crashes N] [--partitions N]
          [--seed N] [--json] [--replay ADDRESS]

Simulates gateways on one store with the real lease code, in virtual time.
  --calls N    calls per second of all accounts together
  --seconds N  virtual time with calls
  --spread N   instances that the calls of one account reach
  --scarce N   of 1,000 accounts, those that run out of credits; each of their calls asks the store
  --replay ADDRESS  then send the first lease transactions to a new store at this address (a path for
                    SQLite, postgres://…) as fast as it takes them, and print how many that are`;

/** Transactions of a replay, and those at a time, which are the connections of a gateway. */
const REPLAYED = 4_000;
const CONCURRENCY = 8;

const DEFAULTS = {
  instances: 1_000,
  accounts: 1_000_000,
  calls: 5_000,
  seconds: 36,
  spread: 4,
  scarce: 20,
  crashes: 20,
  partitions: 20,
  seed: 1,
};

type Name = keyof typeof DEFAULTS;

/** A few instances must stay while others restart. */
const MINIMUM = {
  instances: 2,
  accounts: 1,
  calls: 1,
  seconds: 1,
  spread: 1,
  scarce: 0,
  crashes: 0,
  partitions: 0,
  seed: 0,
};

function readOptions(): { options: SimulationOptions; json: boolean; address?: string } {
  const { json, replay: address, ...given } = parse();
  const read = (name: Name): number => {
    const value = Number(given[name] ?? DEFAULTS[name]);
    if (Number.isSafeInteger(value) && value >= MINIMUM[name]) return value;
    throw new UsageError(
      `--${name}: expected a whole number from ${MINIMUM[name]}, got ${given[name]}`,
    );
  };
  return {
    json: json === true,
    ...(address !== undefined && { address }),
    options: {
      instances: read('instances'),
      accounts: read('accounts'),
      calls_per_s: read('calls'),
      duration_s: read('seconds'),
      spread: read('spread'),
      scarce: read('scarce'),
      crashes: read('crashes'),
      partitions: read('partitions'),
      seed: read('seed'),
    },
  };
}

function parse(): { readonly json?: boolean; readonly replay?: string } & {
  readonly [Given in Name]?: string;
} {
  const numbers = Object.keys(DEFAULTS).map((name) => [name, { type: 'string' as const }]);
  try {
    return parseArgs({
      options: {
        json: { type: 'boolean' },
        replay: { type: 'string' },
        ...Object.fromEntries(numbers),
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function render(options: SimulationOptions, figures: SimulationFigures): string {
  const { instances, accounts, spread } = options;
  const { calls, rates, lost, allowances } = figures;
  const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(4)} %`;
  const changes = (instances * 1000) / defaultCreditLimits.key_refresh_ms;
  return formatRows([
    [`${format(instances)} instances, ${format(accounts)} accounts, spread ${spread}`, ''],
    ['  calls per second', format(rates.calls)],
    ['  transactions per second that renew leases', format(rates.batches)],
    ['    calls per transaction', format(rates.calls / rates.batches, 1)],
    ['    leases renewed in one', format(rates.requests / rates.batches, 1)],
    ['    leases read for one renewal', format(rates.rows / rates.requests, 1)],
    ['  transactions per second that close expired leases', format(rates.closings)],
    ['  most transactions in a second', format(figures.peak_transactions_per_s)],
    ['  reads per second for changed keys (computed)', format(changes)],
    ['', 'credits', 'of a day'],
    ...[
      ['  leased and unused, average', figures.stranded_mean] as const,
      ['  leased and unused, most', figures.stranded_max] as const,
      [`  lost by ${options.crashes} crashes`, lost.crash] as const,
      ['  held by the crashed instances', figures.held_by_crashed] as const,
      [`  lost by ${options.partitions} partitions`, lost.partition] as const,
      ['  lost otherwise', lost.other] as const,
      ['  overspent', figures.overspent] as const,
    ].map(([name, credits]) => [name, format(credits), percent(credits, allowances)]),
    ['', 'calls', 'of all'],
    ...[
      ['  rejected because no credits were left', figures.rejected_calls] as const,
      [
        '  rejected though credits were leased elsewhere or lost',
        figures.wrongly_rejected_calls,
      ] as const,
      ['  rejected because the store could not be reached', figures.unavailable_calls] as const,
    ].map(([name, count]) => [name, format(count), percent(count, calls)]),
  ]);
}

async function measureStore(
  address: string,
  exchanges: readonly Exchange[],
  traffic: SimulationOptions,
): Promise<{ transactions_per_s: number; requests_per_s: number }> {
  const { elapsed_ms } = await replay(address, { exchanges, traffic, concurrency: CONCURRENCY });
  const requests = exchanges.reduce((sum, { batch }) => sum + batch.requests.length, 0);
  const perSecond = (count: number): number => (count * 1000) / elapsed_ms;
  return {
    transactions_per_s: perSecond(exchanges.length),
    requests_per_s: perSecond(requests),
  };
}

await runBenchmark(USAGE, async () => {
  const { options, json, address } = readOptions();
  const exchanges: Exchange[] = [];
  const keep = (exchange: Exchange): void => {
    if (exchanges.length < REPLAYED) exchanges.push(exchange);
  };
  const figures = await simulate(
    address === undefined ? options : { ...options, onExchange: keep },
  );
  const capacity = address && (await measureStore(address, exchanges, options));
  if (json) console.log(JSON.stringify({ options, figures, capacity }));
  else {
    console.log(render(options, figures));
    if (capacity) {
      const { transactions_per_s, requests_per_s } = capacity;
      const of = `${format(requests_per_s)} lease requests per second`;
      console.log(`\nThe store takes ${format(transactions_per_s)} transactions with ${of}.`);
    }
  }
  if (figures.overspent > 0 || figures.lost.other > 0) process.exitCode = 1;
});
