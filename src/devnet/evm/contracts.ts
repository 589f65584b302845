import artifacts from './artifacts.json' with { type: 'json' };
import { encodeCall, type Word } from './calldata.ts';

/**
 * Where the history's three creations put their contracts: alice's nonces 1, 2 and 3
 * (keccak256(rlp([sender, nonce])), Yellow Paper section 7).
 */
export const contracts = {
  token: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  reverter: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
  cashier: '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
} as const;

/** The `name(types)` signatures of a contract's functions. */
export type FunctionOf<Name extends keyof typeof artifacts> =
  keyof (typeof artifacts)[Name]['selectors'] & string;

export function createToken(supply: number): string {
  return encodeCall(artifacts.Token.bytecode, [supply]);
}

export function createReverter(): string {
  return encodeCall(artifacts.Reverter.bytecode);
}

export function createCashier(token: Word): string {
  return encodeCall(artifacts.Cashier.bytecode, [token]);
}

export function callToken(
  name: FunctionOf<'Token'>,
  words: readonly Word[],
  text?: string,
): string {
  return encodeCall(artifacts.Token.selectors[name], words, text);
}

export function callReverter(name: FunctionOf<'Reverter'>, words: readonly Word[] = []): string {
  return encodeCall(artifacts.Reverter.selectors[name], words);
}

export function callCashier(name: FunctionOf<'Cashier'>, words: readonly Word[]): string {
  return encodeCall(artifacts.Cashier.selectors[name], words);
}
