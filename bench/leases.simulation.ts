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
  calls: 10_000,
  seconds: 15,
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
  const { instances, accounts, calls_per_s, duration_s, spread } = options;
  const { store, calls, lost } = figures;
  const perSecond = (count: number): string => format(count / duration_s);
  const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(3)} %`;
  const changes = (instances * 1000) / defaultCreditLimits.key_refresh_ms;
  return formatRows([
    [`${format(instances)} instances, ${format(accounts)} accounts, spread ${spread}`, ''],
    ['  calls per second', format(calls_per_s)],
    ['  lease transactions per second', perSecond(store.batches)],
    ['  lease requests per second', perSecond(store.requests)],
    ['  calls per lease request', format(calls / store.requests, 2)],
    ['  leases read per request', format(store.rows / store.requests, 1)],
    ['  transactions that close expired leases, per second', perSecond(store.closings)],
    ['  highest number of transactions in a second', format(figures.peak_operations_per_s)],
    ['  reads for changed keys per second (computed)', format(changes)],
    ['  leased and unused, average', format(figures.stranded_mean)],
    [
      '    of the credits per day of the accounts in use',
      percent(figures.stranded_mean, figures.allowances),
    ],
    ['    highest', format(figures.stranded_max)],
    [`  lost by ${options.crashes} crashes`, format(lost.crash)],
    ['    held by the crashed instances', format(figures.held_by_crashed)],
    [`  lost by ${options.partitions} partitions`, format(lost.partition)],
    ['  lost otherwise', format(lost.other)],
    ['  refused because no credits were left', percent(figures.refused_calls, calls)],
    ['    wrongly: leased elsewhere or lost', percent(figures.wrongly_refused_calls, calls)],
    ['  refused because the store was out of reach', percent(figures.unavailable_calls, calls)],
    ['  overspent', format(figures.overspent)],
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
