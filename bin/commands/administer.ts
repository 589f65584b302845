import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { service } from '../../generated/service.ts';
import { AdminError } from '../../src/admin/values.ts';
import { formatTable, type Cell } from '../../src/admin/text-table.ts';
import { loadStoreSettings, mergePlans } from '../../src/main/load-config.ts';
import { describeStore, IN_MEMORY, readStoreAddress } from '../../src/store/address.ts';
import { StoreError } from '../../src/store/database.ts';
import type { Plan } from '../../src/store/records.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { formatOption, readPath, type OutputFormat } from './options.ts';
import { runService } from './run-service.ts';
import { examples, exitCodes, misuse } from './verb.ts';

export interface StoreOptions {
  readonly store?: string;
  readonly config?: string;
  readonly createStore?: boolean;
}

export interface AdminOptions extends StoreOptions {
  readonly format: OutputFormat;
}

export function addStoreOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'use the store of this gateway configuration file', readPath)
    .option(
      '-s, --store <url>',
      'sqlite:PATH, a path, or postgres://user:password@host/db\n' +
        '(default: SPECGATE_STORE, or the store of specgate dev)',
    );
}

interface StoreVerb<Options extends AdminOptions, Args extends readonly string[]> {
  readonly description: string;
  readonly example: string;
  readonly access: StoreAccess;
  run(store: Store, options: Options, ...args: Args): Promise<void>;
}

/** Adds a subcommand that uses a store. */
export function addVerb<Options extends AdminOptions, Args extends readonly string[]>(
  parent: Command,
  name: string,
  { description, example, access, run }: StoreVerb<Options, Args>,
): Command {
  return addStoreOptions(parent.command(name).description(description))
    .addOption(formatOption())
    .addHelpText('after', examples(`${parent.name()} ${example}`))
    .action((...given: readonly unknown[]) => {
      const options = given.at(-2) as Options;
      const args = given.slice(0, -2) as unknown as Args;
      return administer(options, access, (store) => run(store, options, ...args));
    });
}

/**
 * How a command accesses its store. Commands that write print the address. A mistyped address must
 * not create a store: without `--create-store`, a missing store is an error or is treated as empty.
 */
type StoreAccess = 'read' | 'write' | 'read, empty if missing';

/** Runs work on a store and closes it. Prints errors that the user can fix as one line. */
export function administer(
  options: StoreOptions,
  access: StoreAccess,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  return runService(async () => {
    const { address, plans } = await findStore(options);
    try {
      const store = await openExisting(address, { ...options, access });
      try {
        // A store that no gateway has opened yet has no plans.
        await store.addPlans(plans);
        await work(store);
      } finally {
        await store.close();
      }
      if (access === 'write') console.error(`specgate: written to store ${nameOf(address)}`);
      return exitCodes.clean;
    } catch (error) {
      if (error instanceof AdminError) console.error(`specgate: ${error.message}`);
      else if (error instanceof StoreError) {
        console.error(`specgate: cannot use store ${nameOf(address)}: ${error.message}`);
      } else throw error;
      return exitCodes.unusable;
    }
  });
}

interface StoreChoice {
  readonly address: string;
  readonly plans: readonly Plan[];
}

async function findStore({ store, config }: StoreOptions): Promise<StoreChoice> {
  if (store !== undefined && config !== undefined) {
    throw misuse('--config and --store name two stores', 'leave out one of them');
  }
  if (config !== undefined) {
    const settings = await loadStoreSettings({ file: config, env: process.env });
    return { address: settings.store, plans: mergePlans(service.plans, settings.plans) };
  }
  const home = process.env['SPECGATE_HOME'] ?? '.specgate';
  const fallback = process.env['SPECGATE_STORE'] || join(home, 'specgate.sqlite');
  return { address: store ?? fallback, plans: service.plans };
}

function openExisting(
  address: string,
  { createStore = false, access }: StoreOptions & { readonly access: StoreAccess },
): Promise<Store> {
  const read = readStoreAddress(address);
  const isInMemory = read.engine === 'sqlite' && read.path === IN_MEMORY;
  const isMissing = read.engine === 'sqlite' && !isInMemory && !existsSync(read.path);
  if (!isMissing) return openStore(address, { creates: createStore || isInMemory });
  if (access === 'read, empty if missing') return openStore(IN_MEMORY);
  if (createStore) return openStore(address);
  throw new AdminError(
    `store ${nameOf(address)} not found; name the gateway's store with --config or --store, or ` +
      'create one with: specgate accounts create ID --plan PLAN --create-store',
  );
}

/** Returns the address of a store without its secrets; for a file, its full path. */
function nameOf(address: string): string {
  try {
    const read = readStoreAddress(address);
    if (read.engine === 'sqlite') return read.path === IN_MEMORY ? IN_MEMORY : resolve(read.path);
  } catch {
    // An address that cannot be read is shown as it was given.
  }
  return describeStore(address);
}

/** Prints a value as JSON, or rows as a table. */
export function printRows(
  format: OutputFormat,
  value: unknown,
  [headers, ...rows]: readonly [readonly string[], ...(readonly (readonly Cell[])[])],
): void {
  console.log(format === 'json' ? JSON.stringify(value, null, 2) : formatTable(headers, rows));
}
