import { accounts } from './accounts.ts';
import {
  callCashier,
  callReverter,
  callToken,
  contracts,
  createCashier,
  createReverter,
  createToken,
} from './contracts.ts';
import { paymentAccessList } from './storage.ts';

/** A transaction as `eth_sendTransaction` takes it, but for the nonce, which its place gives it. */
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

/** An address no key is known for, which exists only because something was sent to it. */
export const stranger = '0x000000000000000000000000000000000000beef';

/** The reference of the transfer with a memo: the fourth topic of its log. */
export const memoReference = `0x${'ab'.repeat(32)}` as const;

const gas = { transfer: '0x5208', call: '0x30d40', creation: '0x16e360' } as const;

// Fees above the base fee of every block, so that none of them depends on the blocks before.
const legacy = { type: '0x0', gasPrice: '0x77359400' } as const;
const accessList = { type: '0x1', gasPrice: '0x77359400', accessList: paymentAccessList } as const;
const dynamic = {
  type: '0x2',
  maxFeePerGas: '0xb2d05e00',
  maxPriorityFeePerGas: '0x3b9aca00',
} as const;

const ether = '0xde0b6b3a7640000';

/** The blocks from number 1 on, each with its transactions in their order. */
export const firstBlocks: readonly (readonly Draft[])[] = [
  [{ ...legacy, from: alice, to: bob, value: ether, gas: gas.transfer }],
  [
    { ...dynamic, from: alice, data: createToken(1_000_000), gas: gas.creation },
    { ...dynamic, from: alice, data: createReverter(), gas: gas.creation },
    { ...legacy, from: alice, data: createCashier(token), gas: gas.creation },
  ],
  [
    {
      ...dynamic,
      from: alice,
      to: token,
      data: callToken('transfer(address,uint256)', [bob, 1000]),
      gas: gas.call,
    },
    {
      ...legacy,
      from: alice,
      to: token,
      data: callToken('transfer(address,uint256)', [carol, 500]),
      gas: gas.call,
    },
    { ...dynamic, from: bob, to: carol, value: ether, gas: gas.transfer },
  ],
  [
    {
      ...dynamic,
      from: bob,
      to: token,
      data: callToken('approve(address,uint256)', [cashier, 300]),
      gas: gas.call,
    },
  ],
  [
    {
      ...accessList,
      from: bob,
      to: cashier,
      data: callCashier('pay(uint256)', [100]),
      gas: gas.call,
    },
    {
      ...dynamic,
      from: bob,
      to: cashier,
      data: callCashier('pay(uint256)', [50]),
      gas: gas.call,
      accessList: paymentAccessList,
    },
  ],
  [
    {
      ...dynamic,
      from: carol,
      to: reverter,
      data: callReverter('failWithReason()'),
      gas: gas.call,
    },
  ],
  [],
  [
    {
      ...dynamic,
      from: alice,
      to: token,
      data: callToken(
        'transferWithMemo(address,uint256,bytes32,string)',
        [carol, 25, memoReference],
        'for the coffee',
      ),
      gas: gas.call,
    },
    { ...legacy, from: bob, to: stranger, value: '0x1', gas: gas.transfer },
    {
      ...dynamic,
      from: carol,
      to: reverter,
      data: callReverter('order(uint256)', [5]),
      gas: gas.call,
    },
    {
      ...legacy,
      from: carol,
      to: reverter,
      data: callReverter('order(uint256)', [2]),
      gas: gas.call,
    },
  ],
];

/**
 * Empty blocks after the first ones: enough for `safe` and `finalized`, which anvil puts one and
 * two epochs of 32 slots behind the head, to fall on blocks 40 and 8.
 */
export const emptyBlockCount = 63;

/** The last block, so that `latest` has something to show. */
export const lastBlock: readonly Draft[] = [
  {
    ...dynamic,
    from: alice,
    to: token,
    data: callToken('transfer(address,uint256)', [bob, 7]),
    gas: gas.call,
  },
  { ...dynamic, from: carol, to: bob, value: '0x2386f26fc10000', gas: gas.transfer },
];

/** Sent after the last block and never mined. */
export const pendingTransaction: Draft = {
  ...dynamic,
  from: bob,
  to: carol,
  value: '0x38d7ea4c68000',
  gas: gas.transfer,
};
