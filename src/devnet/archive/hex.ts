/** The bytes of a hex string with 0x and an even number of digits. */
export function toBytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.slice(2), 'hex'));
}

export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

/** Big-endian bytes as a quantity: no leading zeros, `0x0` for none. */
export function toQuantity(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes).toString('hex').replace(/^0+/, '');
  return `0x${digits || '0'}`;
}
