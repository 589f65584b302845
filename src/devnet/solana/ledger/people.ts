import { type Keypair, namedKeypair, programs } from '../addresses.ts';
import type { Svm } from './litesvm.ts';

/** The owners of accounts. The issuer pays for every transaction. */
export function gatherPeople() {
  return {
    issuer: namedKeypair('issuer'),
    alice: namedKeypair('alice'),
    bob: namedKeypair('bob'),
    carol: namedKeypair('carol'),
    dave: namedKeypair('dave'),
  };
}

export type People = ReturnType<typeof gatherPeople>;

/** Gives each person lamports at genesis. */
export function fundPeople(svm: Svm, people: People): void {
  const fund = ({ address }: Keypair, sol: bigint): void =>
    svm.setAccount({
      address,
      data: new Uint8Array(),
      executable: false,
      lamports: sol * 1_000_000_000n,
      programAddress: programs.system,
      space: 0n,
    });
  fund(people.issuer, 1_000n);
  for (const person of [people.alice, people.bob, people.carol, people.dave]) fund(person, 10n);
}
