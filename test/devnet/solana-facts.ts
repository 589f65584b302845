import { freezeDeep } from '../../common/json/value.ts';
import { programs } from '../../src/devnet/solana/addresses.ts';
import { blockHeights, registry, slots, version } from '../../src/devnet/solana/facts.ts';

/**
 * The contents of the Solana development ledger, for examples and tests. Addresses and counts are those
 * of the finalized state unless stated otherwise. Tests compare each with a running node.
 */
export const solanaFacts = freezeDeep({
  version,
  genesisHash: '6fYdyuaqeGHn9rtqizkLNgArCnxrpB5uJigK4Cy3jrcd',
  slots,
  blockHeights,
  rentEpoch: 18_446_744_073_709_551_615n,

  programs: {
    ...programs,
    registry,
    /** Owns no account. */
    empty: 'SpecgateEmpty111111111111111111111111111111',
  },

  /** Wallets; the issuer pays all fees and is the authority of the dollar mint. */
  people: {
    issuer: '7J3BC38k1m19x54uw3R2hCBAXc74FUiTot3JPTNhKvS8',
    alice: 'CucQ6rPBKnb6G1h89b9buFuY1UPaXmr2ECDqYYq11cou',
    bob: '8J5gthy3FSRVg4rqkzkZMZSeBmkRoffwGQtKbbdgwPT9',
    carol: 'CjFWpvBvWRN53f4gnR6bABq5xXsWgsDY7dnVc7c8cmM6',
    dave: '2y2pAvXKh64VpWYj32wk3BR3KiyzeUPd87yTZZ1qNAmQ',
  },

  mints: {
    /** 6 decimals; the issuer may mint and freeze. */
    dollar: 'HHssn5Z6dhYueWYth18yQwkzG6XHy2rMU27yXWbHwrYW',
    /** No decimals, supply 1, no authorities. */
    badge: 'BpgbbGJbR8wybSBVCzBq7oqkDgiL5so9haXhS171CSxz',
    /** Wrapped lamports, 9 decimals. */
    native: 'So11111111111111111111111111111111111111112',
  },

  tokenAccounts: {
    /** 1234.56789 dollars; 1233.56789 from the confirmed slot on. */
    aliceDollars: '3A2HfXuWarPmy4RP41kWmpbDrWDL3Pv661NgL8gJyhHc',
    /** 18014398509.481985 dollars: more base units than 2^53. */
    aliceSavings: 'msV8zAChWUnGFXKd7mfmvdC5x9wN37Az1buyTM7XiSG',
    aliceBadge: 'H8v6nDRvgDZsBFTcuBiPoPZ8PRAwo87EFeS2WFSHuUzV',
    /** 1.5 wrapped SOL: native, with a rent-exempt reserve. */
    aliceWrapped: '6XeH9LroJyWAySFsQaVJmJraRgFtGa6bnmfrGA9tEYXN',
    /** 50 dollars, frozen: Bob's only account. */
    bobFrozen: '4BhFRZpy2omJ5kXqE5LA4HJNi5sUCJvTxDgZkkSHTG6h',
    /** 10 dollars, 2.5 of them delegated to Bob; Alice may close it. Carol's only account. */
    carolDelegated: '4hK4C8wTyw4DqQZfL89Ey79Buo8vjFbNJdF15LpbdFLi',
    /** Empty; one dollar from the confirmed slot on. */
    daveEmpty: '5287U5rAtXPBvD63hsrmwdy88FJeQHr7EmQt9znoMsFo',
    /** Exists in the processed slot only. */
    daveLate: 'DyLQ2wMDonkzsB1CYp8Ct4V6Kuh1oqyuJDD15EzLNaCU',
    /** Two signatures of Alice, Bob and Carol. */
    multisig: 'GN2Rkv3TZ5S3dMnsyBtzXZcN8XxMtyYCXrUbw8VRn31c',
    /** 165 bytes of zeros: jsonParsed leaves it out. */
    uninitialized: '6hzgjJRCGjzuciTCR1Vkxz9PfSmrAdquHuN1chqAEdp3',
  },

  /** The token program's layouts: sizes for dataSize, offsets for memcmp. */
  tokenLayout: {
    mintSize: 82,
    accountSize: 165,
    multisigSize: 355,
    accountMintOffset: 0,
    accountOwnerOffset: 32,
  },

  counts: {
    token: { processed: 13, confirmed: 12, finalized: 12 },
    /** Accounts of the token program that jsonParsed returns. */
    tokenParsed: 11,
    mints: 3,
    dollarAccounts: 5,
    accountsOfAlice: 4,
    registry: 320,
    registryBySize: { 0: 2, 18: 2, 19: 1, 200: 1, 300: 1 },
  },

  /** The registry's records: discriminator (8 bytes), index (u32), authority (32), filler. */
  registryLayout: { discriminatorOffset: 0, indexOffset: 8, authorityOffset: 12 },

  /** The first eight bytes of each kind of record, and the number of accounts with them. */
  registryKinds: {
    Listing: { base58: 'dV6QTCMAagy', base64: '2iAySSuGGjo=', count: 102 },
    Order: { base58: 'PXZJQQ2HEmx', base64: 'hq3fuU1WHDM=', count: 101 },
    Profile: { base58: 'XqtBdGS7oVD', base64: 'uGWlvF8/f7w=', count: 101 },
  },

  /** Some records by their index, which is also their size in bytes. */
  registryRecords: {
    /** No data, and 2^53 + 1 lamports. */
    0: '5qyRKD8wynqaJTBsTKRmo5RTRbNUYk7orec3Yky6biM8',
    40: '3T4NPiiAYS78rV4SFTRxfZMaWFNbrv7j1RmbajdEzXk9',
    44: 'DGipb13gV244oJKXukXPJAJTLqF7BFK5ycsuRy4b3V3w',
    128: '2L7rgHeJKdK5gzQ2HBrquVf3EzncU9VZwiMMQE4nyBHr',
    200: '9Tbz4945nKatHsegur7PUcsny8PD7E1JPfMJT7ay6Y4T',
    300: '6M59FbBDxP95E5AzNdd91NQ2Ke82D2wQpCMQcBG99GJN',
  },
  treasuryLamports: 9_007_199_254_740_993n,
});
