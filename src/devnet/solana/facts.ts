/** The Agave release of litesvm 1.5's runtime. */
export const version = '4.3.0';

/** The slot and the block height of each commitment. */
export const slots = { processed: 312_000_033, confirmed: 312_000_031, finalized: 312_000_000 };
export const blockHeights = {
  processed: 291_000_033,
  confirmed: 291_000_031,
  finalized: 291_000_000,
};

/** Owns 320 accounts of 0 to 300 bytes. */
export const registry = 'SpecgateRegistry111111111111111111111111111';
