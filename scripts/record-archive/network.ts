import { type Common, createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { createLegacyTx, type LegacyTx } from '@ethereumjs/tx';
import { createAddressFromPrivateKey, type PrefixedHexString } from '@ethereumjs/util';
import { keccak_256 } from '@noble/hashes/sha3.js';

export const chainId = 31338;

/** The block at which each set of rules begins; receipts have `status` from Byzantium on (EIP-658). */
export const forkBlocks = { homestead: 3, byzantium: 8 } as const;

/** The rules of the recorded network: Frontier, then Homestead, then Byzantium, with proof of work. */
export function createRules(): Common {
  const { homestead, byzantium } = forkBlocks;
  return createCustomCommon(
    {
      name: 'specgate-archive',
      chainId,
      hardforks: [
        { name: Hardfork.Chainstart, block: 0 },
        { name: Hardfork.Homestead, block: homestead },
        { name: Hardfork.TangerineWhistle, block: byzantium },
        { name: Hardfork.SpuriousDragon, block: byzantium },
        { name: Hardfork.Byzantium, block: byzantium },
      ],
    },
    Mainnet,
    { hardfork: Hardfork.Chainstart },
  );
}

function keyOf(name: string): Uint8Array {
  return keccak_256(new TextEncoder().encode(`specgate archive: ${name}`));
}

function addressOf(name: string): PrefixedHexString {
  return createAddressFromPrivateKey(keyOf(name)).toString();
}

/** Addresses of the senders. Their keys are hashes of their names: they hold nothing of value. */
export const people = {
  ada: addressOf('ada'),
  ben: addressOf('ben'),
  cleo: addressOf('cleo'),
} as const;

export type Person = keyof typeof people;

/** Addresses of the miners: the first mines the blocks of the chain, the others its uncles. */
export const miners = {
  mia: addressOf('mia'),
  noa: addressOf('noa'),
  oto: addressOf('oto'),
} as const;

/** Balance of each person in the genesis block, in wei. */
export const allocation = 1000n * 10n ** 18n;

/** A transaction to sign; the gas price is fixed. */
export interface Draft {
  readonly from: Person;
  readonly to?: PrefixedHexString;
  readonly value?: bigint;
  readonly data?: PrefixedHexString;
  readonly gas: number;
}

const gasPrice = 20_000_000_000n;

/** Creates a function that signs transactions; nonces of each sender count from 0, in the order of calls. */
export function createSigner(rules: Common): (draft: Draft, height: number) => LegacyTx {
  const nextNonce = new Map<Person, number>();
  return ({ from, to, value = 0n, data = '0x', gas }, height) => {
    const nonce = nextNonce.get(from) ?? 0;
    nextNonce.set(from, nonce + 1);
    const common = rules.copy();
    // From Spurious Dragon on, a signature covers the chain id (EIP-155).
    common.setHardforkBy({ blockNumber: height });
    const fields = { nonce, gasPrice, gasLimit: gas, value, data };
    return createLegacyTx(to === undefined ? fields : { ...fields, to }, { common }).sign(
      keyOf(from),
    );
  };
}
