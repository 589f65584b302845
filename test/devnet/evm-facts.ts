import { freezeDeep } from '../../common/json/value.ts';
import { block, mined } from './facts.ts';
import {
  accounts,
  call,
  contracts,
  paymentAccessList,
  slots,
} from '../../src/devnet/evm/contracts.ts';

/** A failing call, and anvil's error of its `eth_estimateGas`. */
interface FailingCall {
  readonly call: { readonly from: string; readonly to: string; readonly data: string };
  readonly error: { readonly code: number; readonly message: string; readonly data?: string };
}

const blocks = {
  genesis: block('0x0', '0xc56b8342e33b57477139f45874ae699b6fe1ca1a65d089b78c34dabc3206e07b'),
  /** One legacy transfer. */
  firstTransfer: block('0x1', '0xc3c0ea949893fe568a0ed541ef240f8c31fecb0fb8bc88a91c573eb3045d07df'),
  /** Three contract creations. */
  creations: block('0x2', '0x93d651af6144dadccc46b4aa16ba833c82a1b731b36cd192a8b14c22af2eff91'),
  /** Two calls of the token, of type 2 and 0, and a transfer of ether of type 2. */
  tokenTransfers: block(
    '0x3',
    '0xba8f1b7c3ab4f3164d5829f4688af309ea64d923231b4ea9e202f55803f93bcb',
  ),
  /** Two calls with an access list, of type 1 and 2. */
  accessLists: block('0x5', '0x3c2a3a52e91197d3566ebbbb3ad2a289cbe9b483e66369f313fadea30ecde642'),
  /** A transaction that failed. */
  failed: block('0x6', '0x2e9fe1991453311e855c6e174a9c930d68b03e946d71baae938c7cd5e2783baf'),
  /** No transactions. */
  empty: block('0x7', '0x84d8301f4a234d1cfea359527e6191b81912bf4870354ac4781ef8118f6da6ce'),
  /** Four transactions, one of them failed; logs with three, four and no topics. */
  finalized: block('0x8', '0x131b39b2a25228ec3cb60650496bc965c45a937fba4574888c7785b0b6897326'),
  safe: block('0x28', '0x59f1afc1c51530f7fa1002dde64fd3aeec9bcbf8e2b807903c811693571dbcff'),
  /** A call of the token and a transfer of ether. */
  latest: block('0x48', '0x369db296f57970c29846eb099bf2c5d4431605c222419cd9e4b4e3c588025ac4'),
};

const transactions = {
  /** Type 0: alice sends bob one ether. */
  legacyTransfer: mined(1, 0, '0xfd7368dc672482eee7adfd0e8d2bdad7d92592ede85248663298d33d832d3abf'),
  /** Type 2: creates the token, and logs its first transfer. */
  creation: mined(2, 0, '0xa1cf7fabf77b70e7be7a756bbc51cd00412733101ae8bbd64e8b67be8ec5b755'),
  /** Type 2: alice sends bob 1,000 tokens. */
  tokenTransfer: mined(3, 0, '0xba0efd2228a1347f71dab6bd96d5bd188459c7c05d1dd5c372f700863a118406'),
  /** Type 2: bob sends carol one ether, the last of its block. */
  dynamicTransfer: mined(
    3,
    2,
    '0x2013b7971f782cd190a3b953382a0325c9afe3d232bdfbe6d03e3da5dd0e0aba',
  ),
  /** Type 1: bob pays the cashier, with the token's storage in the access list. */
  accessListCall: mined(5, 0, '0xc52d5f15f1296c8c838d69581d030da52f002f74eb6aa82a17532e6837104579'),
  /** Type 2 with an access list that is not empty. */
  dynamicAccessListCall: mined(
    5,
    1,
    '0xe4bb3a2380295e1cd3e58957439b378754fe14e856516c9d485aa64e02fc86e9',
  ),
  /** Status 0: reverted with a reason. */
  failed: mined(6, 0, '0xe0095daff6ec409de58296499ad3da07947fbcc7cca3243793f714f5c016351e'),
  /** Three logs: of three, four and no topics. */
  manyTopics: mined(8, 0, '0x407007b459fbac7c2bcaa8a7deddb259f5ace09578afb0792e39f4956070b74f'),
  /** Status 0 in the middle of a block. */
  failedAmongOthers: mined(
    8,
    2,
    '0x22ecfcc056dcaa2db797c4bf4b9cebe38b2a0da8ee75fa9f0406d6f723f9a1d2',
  ),
  /** Writes storage after the failed one: three in stock, two ordered, one left. */
  storageWrite: mined(8, 3, '0x7f5760fef0307a7206e7f92308d94a3ca056a179a2697f9ce1840b7b3c89b43e'),
};

const caller = { from: accounts.alice, to: contracts.reverter } as const;

const failingCalls = {
  reason: {
    call: { ...caller, data: call('Reverter', 'failWithReason()') },
    error: {
      code: 3,
      message: 'execution reverted: boom reason',
      data: `0x08c379a0${'20'.padStart(64, '0')}${'b'.padStart(64, '0')}${'626f6f6d20726561736f6e'.padEnd(64, '0')}`,
    },
  },
  /** InsufficientStock(5, 1). The message contains the arguments as raw bytes. */
  customError: {
    call: { ...caller, data: call('Reverter', 'order(uint256)', [5]) },
    error: {
      code: 3,
      message: `execution reverted: custom error 0xf984d914: ${'\0'.repeat(31)}\u0005${'\0'.repeat(31)}\u0001`,
      data: `0xf984d914${'5'.padStart(64, '0')}${'1'.padStart(64, '0')}`,
    },
  },
  panic: {
    call: { ...caller, data: call('Reverter', 'divide(uint256,uint256)', [1, 0]) },
    error: {
      code: 3,
      message: 'execution reverted: panic: division or modulo by zero (0x12)',
      data: `0x4e487b71${'12'.padStart(64, '0')}`,
    },
  },
  bare: {
    call: { ...caller, data: call('Reverter', 'failBare()') },
    error: { code: 3, message: 'execution reverted', data: '0x' },
  },
  /** Not a revert: the opcode INVALID. */
  invalidOpcode: {
    call: { ...caller, data: call('Reverter', 'failInvalid()') },
    error: { code: -32603, message: 'EVM error InvalidFEOpcode' },
  },
  /** Not a revert: no amount of gas is enough. */
  outOfGas: {
    call: { ...caller, data: call('Reverter', 'spin()') },
    error: {
      code: -32003,
      message: 'Out of gas: gas required exceeds allowance: 30000000',
    },
  },
} as const satisfies Record<string, FailingCall>;

const estimates = {
  transfer: { call: { from: accounts.alice, to: accounts.bob, value: '0x1' }, gas: '0x5208' },
  storageWrite: {
    call: { ...caller, data: call('Reverter', 'order(uint256)', [1]) },
    gas: '0x682f',
  },
  withoutAccessList: {
    call: {
      from: accounts.bob,
      to: contracts.cashier,
      data: call('Cashier', 'pay(uint256)', [10]),
    },
    gas: '0xd4f7',
  },
  withAccessList: {
    call: {
      from: accounts.bob,
      to: contracts.cashier,
      data: call('Cashier', 'pay(uint256)', [10]),
      accessList: paymentAccessList,
    },
    gas: '0xd367',
  },
  /** A contract creation, without `to`: init code that stores ten bytes of code. */
  creation: {
    call: { from: accounts.alice, data: '0x600a600c600039600a6000f3602a60005260206000f3' },
    gas: '0xd822',
  },
} as const;

/**
 * The contents of the EVM node's history, the same on each start. Tests compare each line with a running
 * node.
 */
export const evmFacts = freezeDeep({
  chainId: '0x7a69',
  accounts,
  contracts,
  slots,
  blocks,
  transactions,
  /** Never mined: `latest` does not change. */
  pendingTransaction: '0xffce67431ceb30b5ec381839859200c645aa2dd62576155d9bbc8738d35b0186',
  /** A hash and a height that do not exist. */
  unknown: { hash: `0x${'11'.repeat(32)}`, number: '0x63' },
  estimates,
  failingCalls,
} as const);
