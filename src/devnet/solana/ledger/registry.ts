import { createHash } from 'node:crypto';
import { decodeAddress, encodeAddress, namedBytes } from '../addresses.ts';
import { solanaFacts } from '../facts.ts';
import type { Svm } from './litesvm.ts';
import type { People } from './people.ts';

const { counts, programs, registryLayout, treasuryLamports } = solanaFacts;

/** The kinds of records, in turn. */
const registryKinds = ['Listing', 'Order', 'Profile'] as const;

/** Returns the first eight bytes of a record, derived as in Anchor. */
function discriminate(kind: string): Buffer {
  return createHash('sha256').update(`account:${kind}`).digest().subarray(0, 8);
}

function addressRecord(index: number): string {
  return encodeAddress(namedBytes(`registry ${index}`));
}

/**
 * Returns a record: discriminator of its kind (8 bytes), index (u32, little-endian), key of its
 * authority (32), then bytes counting up from the index; truncated to its size, index modulo 301.
 */
function layRecord(index: number, authority: string): Uint8Array {
  const record = Buffer.alloc(301);
  discriminate(registryKinds[index % registryKinds.length]!).copy(record);
  record.writeUInt32LE(index, registryLayout.indexOffset);
  record.set(decodeAddress(authority), registryLayout.authorityOffset);
  for (let at = registryLayout.authorityOffset + 32; at < record.length; at++) {
    record[at] = (index + at) & 0xff;
  }
  return Uint8Array.from(record.subarray(0, index % 301));
}

/** Writes the records of the registry, a program without code, into the ledger. */
export function seedRegistry(svm: Svm, people: People): void {
  const authorities = [people.alice, people.bob, people.carol, people.dave];
  for (let index = 0; index < counts.registry; index++) {
    const data = layRecord(index, authorities[index % authorities.length]!.address);
    const space = BigInt(data.length);
    const lamports = index === 0 ? treasuryLamports : svm.minimumBalanceForRentExemption(space);
    svm.setAccount({
      address: addressRecord(index),
      data,
      executable: false,
      lamports,
      programAddress: programs.registry,
      space,
    });
  }
}
