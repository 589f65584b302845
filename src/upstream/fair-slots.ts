const RESERVED_SHARE = 1 / 4;

/** Returns how many slots are reserved for accounts below their share, in addition to `slots`. */
export function reservedBeside(slots: number): number {
  return Math.ceil(slots * RESERVED_SHARE);
}

export interface SlotUse {
  /** Slots that a single account may use. */
  readonly slots: number;
  readonly reserved: number;
  /** Slots in use, by all accounts and by this one. */
  readonly used: number;
  readonly own: number;
  /** Accounts that use or want slots, this one included. */
  readonly accounts: number;
}

/**
 * Whether an account may take a slot. An account below its share takes at most half of the reserved slots
 * that are free, so that others find some.
 */
export function maySlotBeTaken({ slots, reserved, used, own, accounts }: SlotUse): boolean {
  return used < slots || own < Math.min(slots / accounts, slots + reserved - used);
}
