import { contracts } from './contracts.ts';

/**
 * Storage slots of the contracts, named by what they hold. A mapping's entry is at
 * keccak256(key ‖ slot of the mapping) (Solidity, layout of state variables in storage).
 */
export const slots = {
  /** Token: `totalSupply`. */
  totalSupply: `0x${'0'.repeat(64)}`,
  /** Token: `balanceOf[alice]`. */
  balanceOfAlice: '0xa3c1274aadd82e4d12c8004c33fb244ca686dad4fcc8957fc5668588c11d9502',
  /** Token: `balanceOf[bob]`; Cashier: `paidBy[bob]`, a mapping with the same slot number. */
  balanceOfBob: '0x3c8e904cdb19937d60d41c8d984b1a8803ad6e0891b4f9e032dcec2a22c2c7f5',
  /** Token: `balanceOf[cashier]`. */
  balanceOfCashier: '0x685d256e9be7152506222a87b2d2d582926a289249af3bc94a19432f63c6720e',
  /** Token: `allowance[bob][cashier]`. */
  allowanceOfCashier: '0x6673fbe36a4c22d5d60463201e20622d3fd3db0d66299afeb2ceb58e3c658190',
} as const;

/** What bob's payment to the cashier reads and writes in the token (EIP-2930). */
export const paymentAccessList = [
  {
    address: contracts.token,
    storageKeys: [slots.allowanceOfCashier, slots.balanceOfBob, slots.balanceOfCashier],
  },
] as const;
