import { solanaFacts } from './solana-facts.ts';
import type { DevnetNode } from '../../src/devnet/node-server.ts';

/** A raw JSON-RPC answer; integers beyond 2^53 are rounded, so exactness is tested on the text. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Keyed {
  readonly pubkey: string;
  readonly account: { readonly data: unknown; readonly space: number; readonly owner: string };
}

/** Sends one call and returns the text of the response. */
export async function callText(
  node: DevnetNode,
  method: string,
  params?: unknown,
): Promise<string> {
  const call = { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) };
  const response = await fetch(node.httpUrl, { method: 'POST', body: JSON.stringify(call) });
  return response.text();
}

export async function callNode(
  node: DevnetNode,
  method: string,
  params?: unknown,
): Promise<Answer> {
  return JSON.parse(await callText(node, method, params)) as Answer;
}

/** Returns the accounts of a program with a config, in base64 by default. */
export async function queryAccounts(
  node: DevnetNode,
  program: keyof typeof solanaFacts.programs,
  config: object = {},
): Promise<readonly Keyed[]> {
  const params = [solanaFacts.programs[program], { encoding: 'base64', ...config }];
  const { result, error } = await callNode(node, 'getProgramAccounts', params);
  if (error) throw new Error(error.message);
  return result as readonly Keyed[];
}

export function listKeys(accounts: readonly Keyed[]): readonly string[] {
  return accounts.map(({ pubkey }) => pubkey);
}

/** Filters for the token accounts of a wallet. */
export function ownedBy(owner: string): object[] {
  const { accountSize, accountOwnerOffset } = solanaFacts.tokenLayout;
  return [{ dataSize: accountSize }, { memcmp: { offset: accountOwnerOffset, bytes: owner } }];
}

/** Returns the data of the registry record of a size (19 to 300), with a config. */
export async function readRecord(
  node: DevnetNode,
  size: number,
  config: object = {},
): Promise<unknown> {
  const query = { filters: [{ dataSize: size }], ...config };
  const [record, ...others] = await queryAccounts(node, 'registry', query);
  if (record === undefined || others.length > 0) throw new Error(`no one record of size ${size}`);
  return record.account.data;
}

/** Returns the bytes of the registry record of a size (19 to 300). */
export async function readBytes(node: DevnetNode, size: number): Promise<Buffer> {
  const [text] = (await readRecord(node, size)) as [string];
  return Buffer.from(text, 'base64');
}
