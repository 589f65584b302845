import { isDigit, MINUS } from './bytes.ts';

/** The parts of a number, which determine what may follow. */
export type NumberPart =
  | 'minus'
  | 'zero'
  | 'integer'
  | 'point'
  | 'fraction'
  | 'e'
  | 'sign'
  | 'exponent';

/** Returns the part after one more byte; undefined if the byte does not belong to the number. */
export function nextPart(part: NumberPart, byte: number): NumberPart | undefined {
  if (isDigit(byte)) {
    if (part === 'minus') return byte === 0x30 ? 'zero' : 'integer';
    if (part === 'point' || part === 'fraction') return 'fraction';
    if (part === 'e' || part === 'sign' || part === 'exponent') return 'exponent';
    return part === 'integer' ? 'integer' : undefined;
  }
  if (byte === 0x2e) return part === 'zero' || part === 'integer' ? 'point' : undefined;
  if (byte === 0x65 || byte === 0x45) {
    return part === 'zero' || part === 'integer' || part === 'fraction' ? 'e' : undefined;
  }
  return (byte === 0x2b || byte === MINUS) && part === 'e' ? 'sign' : undefined;
}

/** Whether a number may end with this part. */
export function isWhole(part: NumberPart): boolean {
  return part === 'zero' || part === 'integer' || part === 'fraction' || part === 'exponent';
}
