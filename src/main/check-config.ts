import { findInvalidEntries } from '../admin/allow-lists.ts';
import { describeSuggestion } from '../config/describe-issue.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { Protocol } from '../gateway/protocol.ts';
import { IN_MEMORY, readStoreAddress } from '../store/address.ts';
import { findPathProblem } from '../store/sqlite-file.ts';
import type { Plan } from '../store/records.ts';

export interface InvalidSetting {
  readonly path: readonly PropertyKey[];
  /** What is wrong, and how to fix it. */
  readonly what: string;
}

/** Checks a configuration against the service that the document describes. */
export function checkConfig(
  config: Config,
  { plans, methods }: Pick<Protocol, 'plans' | 'methods'>,
): InvalidSetting[] {
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

/** Merges the plans of the document with the configuration, which overrides terms and adds plans. */
export function mergePlans(described: readonly Plan[], configured: Config['plans']): Plan[] {
  const plans = new Map(described.map((plan) => [plan.name, plan]));
  for (const [name, { creditsPerDay, callsPerSecond, forwarding }] of Object.entries(configured)) {
    const base = plans.get(name);
    plans.set(name, {
      name,
      creditsPerDay: creditsPerDay ?? base?.creditsPerDay ?? null,
      callsPerSecond: callsPerSecond ?? base?.callsPerSecond ?? null,
      forwarding: forwarding ?? base?.forwarding ?? false,
    });
  }
  return [...plans.values()];
}

function checkStore(store: string): InvalidSetting[] {
  try {
    const address = readStoreAddress(store);
    const isFile = address.engine === 'sqlite' && address.path !== IN_MEMORY;
    const what = isFile ? findPathProblem(address.path) : undefined;
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

function checkAccount(account: AccountConfig, known: Known): InvalidSetting[] {
  const plan = known.plans.find(({ name }) => name === account.plan);
  return [
    ...(plan === undefined ? [unknownPlan(account, known)] : checkTerms(account, plan)),
    ...account.keys.flatMap(({ allow }, index) =>
      checkAllowLists(allow, known).map(({ path, what }) => ({
        path: ['keys', index, 'allow', ...path],
        what,
      })),
    ),
  ];
}

function unknownPlan({ plan }: AccountConfig, { plans }: Known): InvalidSetting {
  const suggestion = describeSuggestion(
    plan,
    plans.map(({ name }) => name),
  );
  return { path: ['plan'], what: `unknown plan${suggestion}` };
}

function checkTerms(account: AccountConfig, plan: Plan): InvalidSetting[] {
  return (['creditsPerDay', 'callsPerSecond'] as const)
    .filter((term) => (account[term] ?? plan[term]) === null)
    .map((term) => ({ path: [term], what: `required, because plan ${plan.name} does not set it` }));
}

function checkAllowLists(
  allow: AccountConfig['keys'][number]['allow'],
  known: Known,
): InvalidSetting[] {
  const unknown = (['methods', 'networks'] as const).flatMap((list) =>
    [...(allow[list] ?? []).entries()]
      .filter(([, name]) => !known[list].includes(name))
      .map(([at, name]) => ({
        path: [list, at],
        what: `unknown ${list.slice(0, -1)}${describeSuggestion(name, known[list])}`,
      })),
  );
  const malformed = findInvalidEntries(allow)
    .filter(({ list }) => list !== 'networks')
    .map(({ list, index, expected }) => ({ path: [list, index], what: `expected ${expected}` }));
  return [...unknown, ...malformed];
}
