import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { service } from '../../generated/service.ts';
import { AdminError } from '../../src/admin/values.ts';
import { formatTable, type Cell } from '../../src/admin/text-table.ts';
import { describeStore, IN_MEMORY, isInMemory, readStoreAddress } from '../../src/store/address.ts';
import { StoreError } from '../../src/store/database.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { formatOption, type OutputFormat } from './options.ts';
import { examples, exitCodes } from './verb.ts';

export interface StoreOptions {
  readonly store: string;
}

export interface AdminOptions extends StoreOptions {
  readonly format: OutputFormat;
}

export function storeOption(): Option {
  const home = process.env['SPECGATE_HOME'] ?? '.specgate';
  return new Option('-s, --store <url>', 'sqlite:PATH, a path, or postgres://user:password@host/db')
    .env('SPECGATE_STORE')
    .default(join(home, 'specgate.sqlite'), 'store of specgate dev');
}

interface StoreVerb<Options extends AdminOptions, Args extends readonly string[]> {
  readonly description: string;
  readonly example: string;
  readonly whenMissing?: WhenMissing;
  run(store: Store, options: Options, ...args: Args): Promise<void>;
}

/** Adds a subcommand that works on a store. */
export function addVerb<Options extends AdminOptions, Args extends readonly string[]>(
  parent: Command,
  name: string,
  { description, example, whenMissing, run }: StoreVerb<Options, Args>,
): Command {
  return parent
    .command(name)
    .description(description)
    .addOption(storeOption())
    .addOption(formatOption())
    .addHelpText('after', examples(`${parent.name()} ${example}`))
    .action((...given: readonly unknown[]) => {
      const options = given.at(-2) as Options;
      const args = given.slice(0, -2) as unknown as Args;
      return administer(options, (store) => run(store, options, ...args), whenMissing);
    });
}

/** What to do if the store is missing. A mistyped path must not create one. */
type WhenMissing = 'fail' | 'create' | 'use an empty one';

/** Runs work on a store and closes it. Prints errors that the user can fix as one line. */
export async function administer(
  { store: address }: StoreOptions,
  work: (store: Store) => Promise<void>,
  whenMissing: WhenMissing = 'fail',
): Promise<void> {
  try {
    const isAbsent = whenMissing !== 'create' && isMissing(address);
    if (isAbsent && whenMissing === 'fail') {
      throw new AdminError(
        `store ${address} not found; set --store to the gateway's store, or create one with: ` +
          'specgate accounts create',
      );
    }
    const store = await openStore(isAbsent ? IN_MEMORY : address);
    try {
      // A store that no gateway has opened yet has no plans.
      await store.addPlans(service.plans);
      await work(store);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof AdminError) console.error(`specgate: ${error.message}`);
    else if (error instanceof StoreError) {
      console.error(`specgate: cannot use store ${describeStore(address)}: ${error.message}`);
    } else throw error;
    process.exitCode = exitCodes.unusable;
  }
}

/** Prints a value as JSON, or rows as a table. */
export function printRows(
  format: OutputFormat,
  value: unknown,
  [headers, ...rows]: readonly [readonly string[], ...(readonly (readonly Cell[])[])],
): void {
  console.log(format === 'json' ? JSON.stringify(value, null, 2) : formatTable(headers, rows));
}

function isMissing(address: string): boolean {
  const read = readStoreAddress(address);
  return read.engine === 'sqlite' && !isInMemory(address) && !existsSync(read.path);
}
