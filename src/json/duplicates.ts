import { Scanner } from './scanner.ts';

/**
 * Whether some object of `bytes` (text that `scanText` has passed, parsed as `value`) names a member
 * twice. JSON.parse keeps the last of them, another parser may keep the first: text that two readers
 * understand differently must not be checked by one and executed by the other (RFC 8259, section 4).
 */
export function hasDuplicateNames(bytes: Buffer, value: unknown): boolean {
  if (!bytes.includes(0x7b)) return false;
  const scanner = new Scanner(bytes, 0, Number.POSITIVE_INFINITY);
  scanner.space();
  scanner.value();
  return scanner.members !== countMembers(value);
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : children.length;
  for (const child of children) count += countMembers(child);
  return count;
}
