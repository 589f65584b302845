import { Option, type Command } from 'commander';
import { methods } from '../../generated/methods.ts';
import { AdminError } from '../../src/admin/admin-error.ts';
import { checkAllowLists } from '../../src/admin/allow-lists.ts';
import {
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  stateOfKey,
  updateKey,
} from '../../src/admin/keys.ts';
import { formatTable } from '../../src/admin/text-table.ts';
import { readDuration, readMomentToCome, showMoment } from '../../src/admin/values.ts';
import type { KeyEntry } from '../../src/store/administration.ts';
import type { AllowLists } from '../../src/store/records.ts';
import { administer, storeOption, type StoreOptions } from './administer.ts';
import { formatOption, type OutputFormat } from './output-format.ts';

interface Options extends StoreOptions {
  readonly format: OutputFormat;
}

interface TermsOptions extends Options {
  readonly label?: string;
  readonly expires?: string;
  readonly allowMethod?: readonly string[];
  readonly allowNetwork?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly allowContract?: readonly string[];
  readonly allowAll?: true;
}

/** `specgate keys`: what accounts call with. */
export function register(program: Command): void {
  const keys = program
    .command('keys')
    .summary('create, list, restrict, rotate and revoke API keys')
    .description('API keys of accounts. Running gateways follow within a second.')
    .addHelpText('after', '\nExample:\n  $ specgate keys create acme --expires 90d');
  const verb = (name: string, summary: string, example: string): Command =>
    keys
      .command(name)
      .description(summary)
      .addOption(storeOption())
      .addOption(formatOption())
      .addHelpText('after', `\nExample:\n  $ specgate keys ${example}`);

  withTerms(
    verb(
      'create <account>',
      'Creates a key of an account, and shows it: this once only.',
      'create acme --label backend --expires 90d --allow-method eth_getBlockByNumber',
    ),
  ).action((accountId: string, options: TermsOptions) =>
    administer(options, async (store) => {
      const terms = { label: null, allow: {}, expiresAt_ms: null, ...termsOf(options) };
      const { key, secret } = await createKey(store, { accountId, ...terms });
      tellIssued(options, { ...show(key), key: secret });
    }),
  );

  verb('list', 'Lists keys; the keys themselves are kept nowhere.', 'list --account acme')
    .option('-a, --account <id>', 'of this account only')
    .action((options: Options & { readonly account?: string }) =>
      administer(options, async (store) => tell(options, await listKeys(store, options.account))),
    );

  withTerms(
    verb(
      'update <id>',
      'Changes a key. An allow-list given takes the place of the one there is.',
      'update key-0123456789ab --expires never --allow-origin https://app.example.org',
    ),
  )
    .addOption(new Option('--allow-all', 'drop every allow-list that is not given'))
    .action((id: string, options: TermsOptions) =>
      administer(options, async (store) => {
        const change = { ...termsOf(options), ...(options.allowAll && { dropsAllow: true }) };
        if (Object.keys(change).length === 0) {
          throw new AdminError('nothing to change; give --label, --expires or an --allow-… option');
        }
        tell(options, [await updateKey(store, { id, ...change })]);
      }),
    );

  verb(
    'rotate <id>',
    'Puts a new key in the place of one, with the same account, allow-lists, label and expiry.',
    'rotate key-0123456789ab --overlap 24h',
  )
    .option('--overlap <duration>', 'how long the old key is still accepted', '0s')
    .action((id: string, options: Options & { readonly overlap: string }) =>
      administer(options, async (store) => {
        const { key, secret, old } = await rotateKey(store, id, readDuration(options.overlap));
        tellIssued(options, { ...show(key), key: secret, replaces: show(old) });
      }),
    );

  verb('revoke <id>', 'Refuses a key from now on, for ever.', 'revoke key-0123456789ab').action(
    (id: string, options: Options) =>
      administer(options, async (store) => tell(options, [await revokeKey(store, id)])),
  );
}

function withTerms(verb: Command): Command {
  return verb
    .option('-l, --label <text>', 'what it is for')
    .option('-e, --expires <when>', '2030-01-31, 2030-01-31T12:00:00Z, 90d from now, or never')
    .option('--allow-method <name...>', 'only these methods')
    .option('--allow-network <name...>', 'only these networks')
    .option('--allow-origin <origin...>', 'only web pages of these origins')
    .option('--allow-contract <address...>', 'only calls directed to these contracts or programs');
}

/** What was given of a key's terms. */
function termsOf(options: TermsOptions): {
  label?: string;
  expiresAt_ms?: number | null;
  allow?: AllowLists;
} {
  const { label, expires, allowMethod, allowNetwork, allowOrigin, allowContract } = options;
  const allow: AllowLists = {
    ...(allowMethod && { methods: allowMethod }),
    ...(allowNetwork && { networks: allowNetwork }),
    ...(allowOrigin && { origins: allowOrigin }),
    ...(allowContract && { contracts: allowContract }),
  };
  checkAllowLists(allow, Object.keys(methods));
  return {
    ...(label !== undefined && { label }),
    ...(expires !== undefined && {
      expiresAt_ms: expires === 'never' ? null : readMomentToCome(expires, Date.now()),
    }),
    ...(Object.keys(allow).length > 0 && { allow }),
  };
}

/** A key as it is told of: its hash is nobody's business. */
function show(key: KeyEntry): Record<string, unknown> {
  const { id, accountId: account, prefix, label, allow } = key;
  return {
    id,
    account,
    prefix,
    label,
    state: stateOfKey(key, Date.now()),
    createdAt: showMoment(key.createdAt_ms) || null,
    expiresAt: showMoment(key.expiresAt_ms) || null,
    revokedAt: showMoment(key.revokedAt_ms) || null,
    allow,
  };
}

function tellIssued({ format }: Options, issued: Record<string, unknown>): void {
  if (format === 'json') console.log(JSON.stringify(issued, null, 2));
  else
    console.log(
      `${String(issued['id'])}  ${String(issued['key'])}\nKeep it: it is not shown again.`,
    );
}

function tell({ format }: Options, keys: readonly KeyEntry[]): void {
  if (format === 'json') {
    console.log(JSON.stringify(keys.map(show), null, 2));
    return;
  }
  const heads = ['id', 'account', 'begins', 'label', 'state', 'created', 'expires', 'allows only'];
  const rows = keys.map((key) => [
    key.id,
    key.accountId,
    key.prefix,
    key.label ?? '',
    stateOfKey(key, Date.now()),
    showMoment(key.createdAt_ms),
    showMoment(key.expiresAt_ms),
    Object.values(key.allow).flat().join(' '),
  ]);
  console.log(formatTable(heads, rows));
}
