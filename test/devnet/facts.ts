export const block = <Hash extends string>(number: `0x${string}`, hash: Hash) => ({
  number,
  hash,
});

/** A transaction in a block. */
export const mined = <Hash extends string>(height: number, index: number, hash: Hash) => ({
  hash,
  blockNumber: quantity(height),
  index: quantity(index),
});

/** An uncle of a height, in a block. */
export const uncle = (number: number, height: number, index: number, hash: string) => ({
  ...mined(height, index, hash),
  number: quantity(number),
});

function quantity(value: number): `0x${string}` {
  return `0x${value.toString(16)}`;
}
