/**
 * Returns how many slots are reserved for accounts below their share, in addition to `slots`: as many, so that
 * an account gets its whole share of them while another one holds all others with calls that take long.
 */
export function reservedBeside(slots: number): number {
  return slots;
}

/** The part of the calls that a node works on which is reserved. More would be unused with one account. */
const RESERVED_PART = 1 / 5;

/** Calls in flight of a node that are kept for probes: one behind slow calls would make the node unhealthy. */
export const PROBE_SLOTS = 2;

/**
 * Returns the slots of a node and those reserved beside them: at most `most` slots, and with those of probes
 * at most `callsInFlight`, if it is set.
 */
export function splitSlots(
  most: number,
  callsInFlight?: number,
): Pick<SlotUse, 'slots' | 'reserved'> {
  const usual = { slots: most, reserved: reservedBeside(most) };
  if (callsInFlight === undefined) return usual;
  const forCalls = Math.max(1, callsInFlight - PROBE_SLOTS);
  const reserved = forCalls === 1 ? 0 : Math.ceil(forCalls * RESERVED_PART);
  const slots = Math.min(most, forCalls - reserved);
  return { slots, reserved: Math.min(usual.reserved, forCalls - slots) };
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
