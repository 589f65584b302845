import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { findInvalidEntries } from '../admin/allow-lists.ts';
import { ConfigError } from '../config/config-error.ts';
import { describeSuggestion } from '../config/describe-issue.ts';
import {
  parseConfig,
  parseStoreSettings,
  problemAt,
  type StoreSettings,
} from '../config/read-config.ts';
import type { AccountConfig, Config } from '../config/schema.ts';
import type { Protocol } from '../gateway/protocol.ts';
import { IN_MEMORY, readStoreAddress } from '../store/address.ts';
import type { Plan } from '../store/records.ts';
import { findPathProblem } from '../store/sqlite-file.ts';
import { StartError } from './start-error.ts';

/** A configuration with the contents of the files it names. Plain data that can be sent to workers. */
export interface LoadedConfig {
  readonly config: Config;
  /** By network name; networks without TLS have none. */
  readonly keyPairs: Readonly<Record<string, KeyPair>>;
}

/** Certificate and private key of a network, in PEM. */
interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface ConfigFile {
  readonly loaded: LoadedConfig;
  /** Returns the location of a setting, as `file:line:column`. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
}

/** A configuration file, and the values of its variables. */
export interface ConfigSource {
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads and checks a configuration file and the files it names.
 * @throws ConfigError with one line per invalid setting, StartError if the file cannot be read
 */
export async function loadConfig(
  { file, env }: ConfigSource,
  protocol: Pick<Protocol, 'plans' | 'methods'>,
): Promise<ConfigFile> {
  const { config, placeOf } = parseConfig(await readText(file), file, env);
  const { keyPairs, invalid } = await readKeyPairs(config);
  refuseInvalid([...checkConfig(config, protocol), ...invalid], placeOf);
  return { loaded: { config, keyPairs }, placeOf };
}

/**
 * Reads the settings of the store from a configuration file.
 * @throws ConfigError with one line per invalid setting, StartError if the file cannot be read
 */
export async function loadStoreSettings({ file, env }: ConfigSource): Promise<StoreSettings> {
  return parseStoreSettings(await readText(file), file, env);
}

/** @throws ConfigError if there are invalid settings */
export function refuseInvalid(
  settings: readonly InvalidSetting[],
  placeOf: ConfigFile['placeOf'],
): void {
  if (settings.length === 0) return;
  throw new ConfigError(settings.map(({ path, what }) => problemAt(path, what, placeOf)));
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new StartError(
      `cannot read ${file} (${code}); check the path, or name another file with --config`,
    );
  });
}

async function readKeyPairs({ networks }: Config): Promise<{
  readonly keyPairs: LoadedConfig['keyPairs'];
  readonly invalid: readonly InvalidSetting[];
}> {
  const keyPairs: Record<string, KeyPair> = {};
  const invalid: InvalidSetting[] = [];
  for (const [index, { name, listen }] of networks.entries()) {
    if (listen.tls === undefined) continue;
    const path = ['networks', index, 'listen', 'tls'];
    const read = (part: 'cert' | 'key', file: string): Promise<string | undefined> =>
      readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
        const what = `cannot read ${file} (${code}); check the path and its permissions`;
        invalid.push({ path: [...path, part], what });
        return undefined;
      });
    const cert = await read('cert', listen.tls.cert);
    const key = await read('key', listen.tls.key);
    if (cert === undefined || key === undefined) continue;
    const what = checkKeyPair({ cert, key });
    if (what === undefined) keyPairs[name] = { cert, key };
    else invalid.push({ path, what });
  }
  return { keyPairs, invalid };
}

function checkKeyPair(pair: KeyPair): string | undefined {
  try {
    createSecureContext(pair);
    return undefined;
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return `certificate and key cannot be used together (${code}); use matching PEM files`;
  }
}

export interface InvalidSetting {
  readonly path: readonly PropertyKey[];
  /** What is wrong, and how to fix it. */
  readonly what: string;
}

type Report = (path: readonly PropertyKey[], what: string) => void;

/** Checks a configuration against the service that the document describes. */
export function checkConfig(
  config: Config,
  { plans, methods }: Pick<Protocol, 'plans' | 'methods'>,
): InvalidSetting[] {
  const invalid: InvalidSetting[] = [];
  const report: Report = (path, what) => invalid.push({ path, what });
  checkStore(config.store, report);
  const allPlans = mergePlans(plans, config.plans);
  const known: Known = {
    methods: Object.values(methods).map(({ name }) => name),
    networks: config.networks.map(({ name }) => name),
  };
  for (const [index, { cache, sharedCalls }] of config.networks.entries()) {
    for (const [setting, value] of Object.entries({ cache, sharedCalls })) {
      if (typeof value !== 'object') continue;
      for (const [at, name] of value.except.entries()) {
        if (known.methods.includes(name)) continue;
        const path = ['networks', index, setting, 'except', at];
        report(path, `unknown method "${name}"${describeSuggestion(name, known.methods)}`);
      }
    }
  }
  for (const [index, account] of config.accounts.entries()) {
    const path = ['accounts', index];
    checkPlan(account, allPlans, (at, what) => report([...path, ...at], what));
    for (const [at, { allow }] of account.keys.entries()) {
      const start = [...path, 'keys', at, 'allow'];
      checkAllowLists(allow, known, (entry, what) => report([...start, ...entry], what));
    }
  }
  return invalid;
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

function checkStore(store: string, report: Report): void {
  try {
    const address = readStoreAddress(store);
    if (address.engine !== 'sqlite' || address.path === IN_MEMORY) return;
    const problem = findPathProblem(address.path);
    if (problem !== undefined) report(['store'], problem);
  } catch (error) {
    report(['store'], (error as Error).message);
  }
}

function checkPlan(account: AccountConfig, plans: readonly Plan[], report: Report): void {
  const plan = plans.find(({ name }) => name === account.plan);
  if (plan === undefined) {
    const names = plans.map(({ name }) => name);
    return report(['plan'], `unknown plan${describeSuggestion(account.plan, names)}`);
  }
  for (const term of ['creditsPerDay', 'callsPerSecond'] as const) {
    if ((account[term] ?? plan[term]) !== null) continue;
    report([term], `required, because plan ${plan.name} does not set it`);
  }
}

type Known = Readonly<Record<'methods' | 'networks', readonly string[]>>;

function checkAllowLists(
  allow: AccountConfig['keys'][number]['allow'],
  known: Known,
  report: Report,
): void {
  for (const list of ['methods', 'networks'] as const) {
    for (const [at, name] of (allow[list] ?? []).entries()) {
      if (known[list].includes(name)) continue;
      const suggestion = describeSuggestion(name, known[list]);
      report([list, at], `unknown ${list.slice(0, -1)}${suggestion}`);
    }
  }
  for (const { list, index, expected } of findInvalidEntries(allow)) {
    if (list !== 'networks') report([list, index], `expected ${expected}`);
  }
}
