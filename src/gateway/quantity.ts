/**
 * A number, or a string of decimal digits, as a quantity of the Ethereum JSON-RPC encoding: `0x` and
 * hexadecimal digits without leading zeros. Undefined for everything else, quantities included.
 */
export function toQuantity(value: unknown): string | undefined {
  const isNumber = typeof value === 'number' && Number.isInteger(value) && value >= 0;
  const isDecimal = typeof value === 'string' && /^\d+$/.test(value);
  return isNumber || isDecimal ? `0x${BigInt(value).toString(16)}` : undefined;
}

/** `times` × `value` as a quantity. */
export function multiply(value: bigint, times: number): string {
  return `0x${(value * BigInt(times)).toString(16)}`;
}

/** Whether one quantity is greater than another; of any length, and never made a number. */
export function exceeds(quantity: string, other: string): boolean {
  const [left, right] = [digitsOf(quantity), digitsOf(other)];
  return left.length === right.length ? left > right : left.length > right.length;
}

function digitsOf(quantity: string): string {
  return quantity.slice(2).toLowerCase().replace(/^0+/, '');
}
