/** The phrase every Ethereum development tool knows; its keys are public and hold nothing of worth. */
export const mnemonic = 'test test test test test test test test test test test junk';

/** The first accounts of the mnemonic at m/44'/60'/0'/0/n, each holding 10,000 ether at genesis. */
export const accounts = {
  alice: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  bob: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  carol: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
} as const;
