import { findFutileEntries } from '../admin/allow-lists.ts';
import { describeSuggestion } from '../config/describe-issue.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { Protocol } from '../gateway/protocol.ts';
import { IN_MEMORY, readStoreAddress } from '../store/address.ts';
import { findFileFlaw } from '../store/file-flaw.ts';
import type { Plan } from '../store/records.ts';
import { mergePlans } from './plans.ts';

/** A setting that cannot be used, and why. */
export interface SettingProblem {
  readonly path: readonly PropertyKey[];
  readonly what: string;
}

/** What is wrong with a configuration for the service a document describes. */
export function checkConfig(
  config: Config,
  { plans, methods }: Pick<Protocol, 'plans' | 'methods'>,
): SettingProblem[] {
  const known: Known = {
    plans: mergePlans(plans, config.plans),
    methods: Object.values(methods).map(({ name }) => name),
    networks: config.networks.map(({ name }) => name),
  };
  const ofAccounts = config.accounts.flatMap((account, index) =>
    checkAccount(account, known).map(({ path, what }) => ({
      path: ['accounts', index, ...path],
      what,
    })),
  );
  return [...checkStore(config.store), ...ofAccounts];
}

function checkStore(store: string): SettingProblem[] {
  try {
    const address = readStoreAddress(store);
    const isFile = address.engine === 'sqlite' && address.path !== IN_MEMORY;
    const what = isFile ? findFileFlaw(address.path) : undefined;
    return what === undefined ? [] : [{ path: ['store'], what }];
  } catch (error) {
    return [{ path: ['store'], what: (error as Error).message }];
  }
}

interface Known {
  readonly plans: readonly Plan[];
  readonly methods: readonly string[];
  readonly networks: readonly string[];
}

function checkAccount(account: AccountConfig, known: Known): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const plan = known.plans.find(({ name }) => name === account.plan);
  if (plan === undefined) {
    const what = describeSuggestion(
      account.plan,
      known.plans.map(({ name }) => name),
    );
    problems.push({ path: ['plan'], what: `there is no such plan${what}` });
  }
  for (const term of ['creditsPerDay', 'callsPerSecond'] as const) {
    if (plan === undefined || (account[term] ?? plan[term]) !== null) continue;
    const what = `is missing; plan ${plan.name} leaves it to each account: set it`;
    problems.push({ path: [term], what });
  }
  for (const [index, { allow }] of account.keys.entries()) {
    for (const list of ['methods', 'networks'] as const) {
      for (const [at, name] of (allow[list] ?? []).entries()) {
        if (known[list].includes(name)) continue;
        const what = `there is no such ${list.slice(0, -1)}${describeSuggestion(name, known[list])}`;
        problems.push({ path: ['keys', index, 'allow', list, at], what });
      }
    }
    for (const { list, index: at, expected } of findFutileEntries(allow)) {
      if (list === 'networks') continue;
      problems.push({ path: ['keys', index, 'allow', list, at], what: `is not ${expected}` });
    }
  }
  return problems;
}
