/** Values that a field of each kind takes, and values that it refuses. */
import type { Json } from '../support/document.ts';

interface Kind {
  readonly takes: readonly Json[];
  readonly refuses: readonly Json[];
}

const digits = (count: number): string => `0x${'a1'.repeat(count).slice(0, count)}`;

/** `bytes` bytes in hexadecimal, of either case; half a byte more or less is refused. */
function fixed(bytes: number): Kind {
  const text = digits(2 * bytes);
  return {
    takes: [text, text.toUpperCase().replace('0X', '0x')],
    refuses: [digits(2 * bytes - 1), digits(2 * bytes + 1), text.slice(2), `${text.slice(0, -1)}g`],
  };
}

const hash = digits(64);
const address = digits(40);
const publicKey = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

const log = {
  address,
  topics: [hash],
  data: '0x',
  blockNumber: '0x1',
  blockHash: hash,
  transactionHash: hash,
  transactionIndex: '0x0',
  logIndex: '0x0',
  removed: false,
};
const account = {
  data: '',
  executable: false,
  lamports: 0,
  owner: publicKey,
  rentEpoch: 0,
  space: 0,
};

export const valueKinds: Readonly<Record<string, Kind>> = {
  quantity: {
    takes: ['0x0', '0x1', '0x5f'],
    refuses: ['0x', '0x05', '5f', '0x5g', '0X5f', 95, '', ' 0x5'],
  },
  'padded quantity': {
    takes: ['0x0', '0x05', hash],
    refuses: ['0x', '5f', '0x5g', `${hash}0`, 95, ''],
  },
  bytes: { takes: ['0x', '0x00', '0xA1b2'], refuses: ['0x0', '00', '0xag', '', 0] },
  hash: fixed(32),
  address: fixed(20),
  bloom: fixed(256),
  '8 bytes': fixed(8),
  status: { takes: ['0x0', '0x1'], refuses: ['0x2', '0x', 1, true] },
  boolean: { takes: [true, false], refuses: ['true', 0, 1] },
  integer: { takes: [0, 1, 2 ** 53 - 1], refuses: [-1, 1.5, '1', '0x1'] },
  'public key': {
    takes: [publicKey],
    refuses: [publicKey.slice(1), `${publicKey}1`, publicKey.replace('T', '0'), '1'.repeat(31)],
  },
  hashes: { takes: [[], [hash, hash]], refuses: [hash, [address], ['0x'], [null]] },
  'list of bytes': { takes: [[], ['0x', '0xa1']], refuses: ['0xa1', ['0xa'], [1]] },
  'access list': {
    takes: [[], [{ address, storageKeys: [] }], [{ address, storageKeys: [hash] }]],
    refuses: [{}, [{ address }], [{ storageKeys: [] }], [{ address, storageKeys: [address] }]],
  },
  transactions: { takes: [[], [hash]], refuses: [hash, [address], [{}], null] },
  logs: { takes: [[], [log]], refuses: [{}, [{}], ['0x'], null] },
  'storage proofs': {
    takes: [[], [{ key: '0x0', value: '0x0', proof: ['0x'] }]],
    refuses: [{}, [{}], ['0x'], null],
  },
  account: { takes: [account], refuses: [[], {}, 'text', null] },
  'account data': {
    takes: ['3Mc6vR', ['AA==', 'base64'], { program: 'spl-token', parsed: {}, space: 1 }],
    refuses: [['AA=='], ['AA==', 'hex'], '0OIl', {}, 1],
  },
  commitment: {
    takes: ['finalized', 'confirmed', 'processed'],
    refuses: ['final', 'recent', 'Finalized', ''],
  },
  encoding: {
    takes: ['base58', 'base64', 'base64+zstd', 'jsonParsed'],
    refuses: ['base32', 'hex', 'json', ''],
  },
  slice: {
    takes: [{ offset: 0, length: 0 }],
    refuses: [{ offset: 0 }, { length: 1 }, { offset: -1, length: 1 }, { offset: 0, length: '1' }],
  },
  filters: {
    takes: [[], [{ dataSize: 1 }, { memcmp: { offset: 0, bytes: '3Mc6vR' } }]],
    refuses: [{}, [{}], [{ memcmp: { bytes: '3Mc6vR' } }], [{ memcmp: { offset: 0 } }], ['1']],
  },
};
