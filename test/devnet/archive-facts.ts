import { freezeDeep } from '../../common/json/value.ts';
import { block, mined, uncle } from './facts.ts';

const blocks = {
  genesis: block('0x0', '0xd732c6ff21f7683ef200a56a3795ae215256101cea59504960f673abd767b8aa'),
  /** One transfer. */
  firstTransfer: block('0x1', '0x15c0edff7ac1d4a4d25811947c83c69345b80f0728c3343c1fc4989094057ec5'),
  /** A contract creation with a log, and a transfer. */
  creation: block('0x2', '0xd4399398904b3627be7b45862aa03ab5b5d48f0d90989f13e78a0b2f6ef2748c'),
  /** The first Homestead block: two calls. */
  homestead: block('0x3', '0x88fd6b08fd7d2f63f3ce1098d1fe1c66eba9b0ba0bebae47866fd7c4a532c252'),
  /** One uncle, three transactions; the second one failed, but its receipt has no `status`. */
  oneUncle: block('0x5', '0x06e06e059c8a65db03bd00513136080a8329d3916957167dfe19e61b0c2b276b'),
  twoUncles: block('0x7', '0x1711ad47a5d6f86164e58bf847796a50f28e9ff5e54ed22c9e53ee9e73c1e60b'),
  /** The first Byzantium block: receipts with `status`, one success, one failure. */
  byzantium: block('0x8', '0xc3d402b2c32836c0ba8a9afd3e0599cd2892bcdaeb55fa49f7e5c408dfc24302'),
  empty: block('0x9', '0xcc12bbd3d35215036b3b4bf27ca766f2f1e2a444ad3befcd7d70c47ce1f7e853'),
  latest: block('0xa', '0x792a33224260d26a7ab07708932a69e77e276aa89783eee2ce985cc786d7e5fa'),
};

const uncles = {
  ofOneUncle: uncle(4, 5, 0, '0x0e0d2f555dc8f7c4dfd324cc9842ac5ff1ceac228ea89473ee7e9ac14543220d'),
  firstOfTwo: uncle(6, 7, 0, '0xd09a6d189c9c15b3ecb5aa84699464bed5da0c0422d8edd64d01d70e790ad3f6'),
  secondOfTwo: uncle(6, 7, 1, '0xec56c424749d8c042bc2e2b79a9444ee40f154d2e6f725d3105308a1aadd6446'),
};

const transactions = {
  /** ada sends ben one ether. */
  firstTransfer: mined(1, 0, '0x3972af2d6d34988104f579b4abbd60d9ebbefe30b21c172ca90b59a9e82c6bc7'),
  /** Creates the guestbook, with a log; receipt with `root`. */
  creation: mined(2, 0, '0xca3bddd14887d6990f859884afe40380666021014ef675324b8519aa6f6d6c15'),
  /** Ran out of gas before Byzantium: all gas used, no logs, and a `root`. */
  outOfGas: mined(5, 1, '0xdc4b8e30f115bfb48db129c9179ad8fc09e5358e50d4a68513877e639726f368'),
  /** Receipt with `status` 1 and a log; the signature includes the chain id (EIP-155). */
  entryWithStatus: mined(
    8,
    0,
    '0xa089df257b9c72ad7cde213a07eab986746bba25b2c9742d7ebc87a9ed9cd317',
  ),
  /** Receipt with `status` 0. */
  failedWithStatus: mined(
    8,
    1,
    '0x009d3a941b262e3f7148e7e88fad0053d715a2a6858b086fc131f4dd47648982',
  ),
  lastEntry: mined(10, 1, '0x322976dfab6bc10cb0f41dcf813dbdfb522e61509c96b50c002200cfcf9f9ebb'),
};

const people = {
  ada: '0x3619f9a3be8d1111f830e4e79df46d0db6680497',
  ben: '0x5ced73d108f173296d2fbfd2c6bbc71fd269715d',
  cleo: '0x1c4bb048f576135426c0e41935409f7d32e77f15',
} as const;

/**
 * The contents of the recorded chain. Tests compare each line with the running node, and the recording's
 * hashes, roots and proofs with an independent computation.
 */
export const archiveFacts = freezeDeep({
  chainId: '0x7a6a',
  /** First blocks of Homestead and Byzantium. */
  forks: { homestead: '0x3', byzantium: '0x8' },
  people,
  miners: {
    mia: '0x73abe95c4fbbc998b7915f7badf179e925ab6b31',
    noa: '0xa0ba1443f94e2406199c66304a14f395e2f36ccb',
    oto: '0x86a2bc5027ec98d28e36d1ba759681c3bd5be098',
  },
  /** A contract with an owner and the last entry of each visitor. */
  guestbook: '0x9d351f9d74d4022496d8e737a585040cc4ca5bc3',
  /** Storage of the guestbook. */
  slots: {
    owner: `0x${'0'.repeat(64)}`,
    entries: `0x${'1'.padStart(64, '0')}`,
    /** keccak256(address ‖ 2), the slot of a mapping's entry. */
    lastEntryOfAda: '0xeee71660c1d05fe70fc4ba8537dc0ffca0c65fa500b18205434c44d06c9eb408',
    lastEntryOfBen: '0x7cdc42ee03d44d3fc80784eb8ba325be3c8bee043b98c2335aa2a71c9961c7ba',
    lastEntryOfCleo: '0x70904a8b3c0a381deacc59f8362d35899ae8430b0480f24fbf8be2d3843cf10e',
  },
  /** Received ether; has no known key. */
  stranger: '0x00000000000000000000000000000000c0ffee00',
  blocks,
  uncles,
  transactions,
  pending: {
    parentHash: blocks.latest.hash,
    uncle: '0xdf48bf233680ac0541c2f0602a8c81a4312867c80d92a6eb5714ccc93574142c',
    transactions: [
      '0xedd3ba5f197360644a45579a3d1a4dc262e74457a5b8da9d0c41349ac37436db',
      '0x1ea06b155a493d824c299fd14eb2590c9cbb1056288b4ef67adb129e833b619a',
    ],
  },
  /** The first block whose state is kept. */
  oldestState: '0x8',
  /** A hash, a height and an address that do not exist. */
  unknown: {
    hash: `0x${'11'.repeat(32)}`,
    number: '0x63',
    address: `0x${'aa'.repeat(20)}`,
  },
  estimates: {
    transfer: { call: { from: people.ada, to: people.ben, value: '0x1' }, gas: '0x5208' },
    /** One zero byte at 4 gas, one other byte at 68. */
    transferWithData: {
      call: { from: people.ada, to: people.ben, value: '0x1', data: '0x00ff' },
      gas: '0x5250',
    },
  },
} as const);
