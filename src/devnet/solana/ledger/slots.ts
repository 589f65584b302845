/** How settled a block is, from the newest to the irreversible. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/**
 * The frozen slot of each commitment: a real cluster confirms a slot or two behind its newest block
 * and finalizes about 31 behind that.
 */
export const slots: Readonly<Record<Commitment, bigint>> = Object.freeze({
  processed: 312_000_033n,
  confirmed: 312_000_031n,
  finalized: 312_000_000n,
});

/** Slots without a block since genesis, so that height and slot are told apart. */
export const skippedSlots = 21_000_000n;
