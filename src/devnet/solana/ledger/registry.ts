import { createHash } from 'node:crypto';
import { decodeAddress, encodeAddress } from '../addresses.ts';
import { namedBytes } from '../keypair.ts';
import type { Svm } from './litesvm.ts';
import type { People } from './people.ts';

/** The program of many accounts; no code is deployed there, its accounts are all that is read. */
export const registryProgram = 'SpecgateRegistry111111111111111111111111111';

/** The program that owns no account. */
export const emptyProgram = 'SpecgateEmpty111111111111111111111111111111';

/** How many accounts the registry owns: sizes 0 to 300 bytes, then 0 to 18 again. */
export const registrySize = 320;

/** The kinds of record, in turn. */
export const registryKinds = ['Listing', 'Order', 'Profile'] as const;

/** Where a record's fields begin. */
export const registryOffsets = Object.freeze({ discriminator: 0, index: 8, authority: 12 });

/** More lamports than a double can count one by one (2^53 + 1), on the registry's first record. */
const treasuryLamports = 9_007_199_254_740_993n;

/** A record's first eight bytes: Anchor's rule, the hash of the kind's name. */
export function discriminate(kind: string): Buffer {
  return createHash('sha256').update(`account:${kind}`).digest().subarray(0, 8);
}

/** The address of the registry's record at `index`. */
export function addressRecord(index: number): string {
  return encodeAddress(namedBytes(`registry ${index}`));
}

/**
 * A record: kind's discriminator (8 bytes), index (u32, little-endian), authority's key (32), then
 * bytes counting up from the index; cut to its size, index modulo 301.
 */
function layRecord(index: number, authority: string): Uint8Array {
  const record = Buffer.alloc(301);
  discriminate(registryKinds[index % registryKinds.length]!).copy(record);
  record.writeUInt32LE(index, registryOffsets.index);
  record.set(decodeAddress(authority), registryOffsets.authority);
  for (let at = registryOffsets.authority + 32; at < record.length; at++) {
    record[at] = (index + at) & 0xff;
  }
  return Uint8Array.from(record.subarray(0, index % 301));
}

/** Writes the registry's records straight into the ledger. */
export function seedRegistry(svm: Svm, people: People): void {
  const authorities = [people.alice, people.bob, people.carol, people.dave];
  for (let index = 0; index < registrySize; index++) {
    const data = layRecord(index, authorities[index % authorities.length]!.address);
    const space = BigInt(data.length);
    const lamports = index === 0 ? treasuryLamports : svm.minimumBalanceForRentExemption(space);
    svm.setAccount({
      address: addressRecord(index),
      data,
      executable: false,
      lamports,
      programAddress: registryProgram,
      space,
    });
  }
}
