import type { Command } from 'commander';
import { methods } from '../../generated/methods.ts';
import { AdminError, formatTime, readDuration, readFutureTime } from '../../src/admin/values.ts';
import { checkAllowLists } from '../../src/admin/allow-lists.ts';
import {
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
  stateOfKey,
  updateKey,
} from '../../src/admin/keys.ts';
import type { AllowLists, KeyEntry } from '../../src/store/records.ts';
import { addVerb, printRows, type AdminOptions } from './administer.ts';
import { examples } from './verb.ts';

interface TermsOptions extends AdminOptions {
  readonly label?: string;
  readonly expires?: string;
  readonly allowMethod?: readonly string[];
  readonly allowNetwork?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly allowContract?: readonly string[];
  readonly allowAll?: true;
}

/** `specgate keys`. */
export function register(command: Command): void {
  command
    .description(
      'Manages the API keys of accounts. Running gateways apply changes within a second.',
    )
    .addHelpText('after', examples('keys create acme --expires 90d'));

  const create = addVerb(command, 'create <account>', {
    description: 'create a key; it is shown only once',
    example: 'create acme --label backend --expires 90d --allow-method eth_getBlockByNumber',
    access: 'write',
    async run(store, options: TermsOptions, accountId: string) {
      const terms = { label: null, allow: {}, expiresAt_ms: null, ...termsOf(options) };
      const { key, secret } = await createKey(store, { accountId, ...terms });
      printIssued(options, { ...describe(key), key: secret });
    },
  });
  withTerms(create);

  addVerb(command, 'list', {
    description: 'list keys, without their secrets',
    example: 'list --account acme',
    access: 'read',
    async run(store, options: AdminOptions & { readonly account?: string }) {
      print(options, ...(await listKeys(store, options.account)));
    },
  }).option('-a, --account <id>', 'list the keys of this account only');

  const update = addVerb(command, 'update <id>', {
    description: 'change a key; each allow-list that is given replaces the current one',
    example: 'update key-0123456789ab --expires never --allow-origin https://app.example.org',
    access: 'write',
    async run(store, options: TermsOptions, id: string) {
      const change = { ...termsOf(options), ...(options.allowAll && { dropsAllow: true }) };
      if (Object.keys(change).length === 0) {
        throw new AdminError('nothing to change; set --label, --expires or an --allow-… option');
      }
      print(options, await updateKey(store, { id, ...change }));
    },
  });
  withTerms(update).option('--allow-all', 'remove every allow-list that is not given');

  addVerb(command, 'rotate <id>', {
    description:
      'replace a key with a new one that has the same account, allow-lists, label and expiry',
    example: 'rotate key-0123456789ab --overlap 24h',
    access: 'write',
    async run(store, options: AdminOptions & { readonly overlap: string }, id: string) {
      const { key, secret, old } = await rotateKey(store, id, readDuration(options.overlap));
      printIssued(options, { ...describe(key), key: secret, replaces: describe(old) });
    },
  }).option('--overlap <duration>', 'how long the old key stays valid', '0s');

  addVerb(command, 'revoke <id>', {
    description: 'revoke a key permanently',
    example: 'revoke key-0123456789ab',
    access: 'write',
    async run(store, options: AdminOptions, id: string) {
      print(options, await revokeKey(store, id));
    },
  });
}

function withTerms(verb: Command): Command {
  return verb
    .option('-l, --label <text>', 'purpose of the key')
    .option(
      '-e, --expires <when>',
      'expiry: 2030-01-31, 2030-01-31T12:00:00Z, 90d (from now), or never',
    )
    .option('--allow-method <name...>', 'allow only these methods')
    .option('--allow-network <name...>', 'allow only these networks')
    .option('--allow-origin <origin...>', 'allow only web pages of these origins')
    .option('--allow-contract <address...>', 'allow only calls to these contracts or programs');
}

function termsOf(options: TermsOptions) {
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
      expiresAt_ms: expires === 'never' ? null : readFutureTime(expires, Date.now()),
    }),
    ...(Object.keys(allow).length > 0 && { allow }),
  };
}

/** Returns the printed members of a key, without its hash. */
function describe(key: KeyEntry) {
  const { id, accountId: account, prefix, label, allow } = key;
  return {
    id,
    account,
    prefix,
    label,
    state: stateOfKey(key, Date.now()),
    createdAt: formatTime(key.createdAt_ms) || null,
    expiresAt: formatTime(key.expiresAt_ms) || null,
    revokedAt: formatTime(key.revokedAt_ms) || null,
    allow,
  };
}

function printIssued({ format }: AdminOptions, issued: Record<string, unknown>): void {
  const text = `${issued['id']}  ${issued['key']}\nSave the key now: it is not shown again.`;
  console.log(format === 'json' ? JSON.stringify(issued, null, 2) : text);
}

function print({ format }: AdminOptions, ...keys: readonly KeyEntry[]): void {
  printRows(format, keys.map(describe), [
    ['id', 'account', 'prefix', 'label', 'state', 'created', 'expires', 'allows only'],
    ...keys.map((key) => [
      key.id,
      key.accountId,
      key.prefix,
      key.label ?? '',
      stateOfKey(key, Date.now()),
      formatTime(key.createdAt_ms),
      formatTime(key.expiresAt_ms),
      Object.values(key.allow).flat().join(' '),
    ]),
  ]);
}
