import { accounts, call, contracts, create, paymentAccessList } from './contracts.ts';

/** Params of `eth_sendTransaction` without the nonce, which follows from the order. */
export interface Draft {
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly data?: string;
  readonly gas: string;
  readonly accessList?: readonly { address: string; storageKeys: readonly string[] }[];
  readonly type: '0x0' | '0x1' | '0x2';
  readonly gasPrice?: string;
  readonly maxFeePerGas?: string;
  readonly maxPriorityFeePerGas?: string;
}

const { alice, bob, carol } = accounts;
const { token, reverter, cashier } = contracts;

/** An address without a known key that received ether. */
const stranger = '0x000000000000000000000000000000000000beef';

/** The fourth topic of the log of the transfer with a memo. */
const memoReference = `0x${'ab'.repeat(32)}` as const;

const gas = { transfer: '0x5208', call: '0x30d40', creation: '0x16e360' } as const;

// Fees above the base fee of every block, so that they do not depend on previous blocks.
const legacy = { type: '0x0', gasPrice: '0x77359400' } as const;
const accessList = { type: '0x1', gasPrice: '0x77359400', accessList: paymentAccessList } as const;
const dynamic = {
  type: '0x2',
  maxFeePerGas: '0xb2d05e00',
  maxPriorityFeePerGas: '0x3b9aca00',
} as const;

const ether = '0xde0b6b3a7640000';

type Fees = Omit<Draft, 'from' | 'gas'>;

const pay = (fees: Fees, from: string, to: string, value: string = ether): Draft => {
  return { ...fees, from, to, value, gas: gas.transfer };
};
const deploy = (fees: Fees, data: string): Draft => {
  return { ...fees, from: alice, data, gas: gas.creation };
};
const send = (fees: Fees, from: string, to: string, data: string): Draft => {
  return { ...fees, from, to, data, gas: gas.call };
};
const transfer = (fees: Fees, to: `0x${string}`, amount: number): Draft => {
  return send(fees, alice, token, call('Token', 'transfer(address,uint256)', [to, amount]));
};
const order = (fees: Fees, amount: number): Draft => {
  return send(fees, carol, reverter, call('Reverter', 'order(uint256)', [amount]));
};

const payCashier = (fees: Fees, amount: number): Draft => {
  return send(fees, bob, cashier, call('Cashier', 'pay(uint256)', [amount]));
};
const memo = [carol, 25, memoReference] as const;
const memoSignature = 'transferWithMemo(address,uint256,bytes32,string)';
const transferWithMemo = send(
  dynamic,
  alice,
  token,
  call('Token', memoSignature, memo, 'for the coffee'),
);

/** The transactions of blocks 1 to 8. */
export const firstBlocks: readonly (readonly Draft[])[] = [
  [pay(legacy, alice, bob)],
  [
    deploy(dynamic, create('Token', [1_000_000])),
    deploy(dynamic, create('Reverter')),
    deploy(legacy, create('Cashier', [token])),
  ],
  [transfer(dynamic, bob, 1000), transfer(legacy, carol, 500), pay(dynamic, bob, carol)],
  [send(dynamic, bob, token, call('Token', 'approve(address,uint256)', [cashier, 300]))],
  [payCashier(accessList, 100), payCashier({ ...dynamic, accessList: paymentAccessList }, 50)],
  [send(dynamic, carol, reverter, call('Reverter', 'failWithReason()'))],
  [],
  [transferWithMemo, pay(legacy, bob, stranger, '0x1'), order(dynamic, 5), order(legacy, 2)],
];

/**
 * Empty blocks after the first ones. anvil puts `safe` and `finalized` one and two epochs of 32 slots
 * behind the head, on blocks 40 and 8.
 */
export const emptyBlockCount = 63;

/** The last block, the one `latest` returns. */
export const lastBlock: readonly Draft[] = [
  transfer(dynamic, bob, 7),
  pay(dynamic, carol, bob, '0x2386f26fc10000'),
];

/** Sent after the last block and never mined. */
export const pendingTransaction = pay(dynamic, bob, carol, '0x38d7ea4c68000');
