import type { AllowLists } from '../store/records.ts';
import { AdminError } from './values.ts';

interface EntryFormat {
  readonly list: keyof AllowLists;
  readonly isValid: (text: string) => boolean;
  readonly expected: string;
}

const formats: readonly EntryFormat[] = [
  {
    list: 'networks',
    isValid: (text) => /^[a-z][a-z0-9-]*$/.test(text),
    expected: 'a network name of lowercase letters, digits and hyphens',
  },
  {
    list: 'origins',
    isValid: isOrigin,
    expected: 'an origin such as https://app.example.org',
  },
  {
    list: 'contracts',
    isValid: (text) => /^0x[0-9a-f]{40}$/i.test(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text),
    expected: 'an address: 0x and 40 hexadecimal digits, or base58',
  },
];

/** Compares with what browsers send; URL has no origins for schemes of browser extensions. */
function isOrigin(text: string): boolean {
  if (!/^https?:/i.test(text)) return /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(text);
  return URL.canParse(text) && new URL(text).origin === text;
}

/** An entry that cannot match any call. */
interface InvalidEntry {
  readonly list: keyof AllowLists;
  readonly index: number;
  readonly text: string;
  readonly expected: string;
}

/** Finds malformed networks, origins and contracts. */
export function findInvalidEntries(allow: {
  readonly [Name in keyof AllowLists]?: AllowLists[Name] | undefined;
}): readonly InvalidEntry[] {
  return formats.flatMap(({ list, isValid, expected }) =>
    [...(allow[list] ?? []).entries()]
      .filter(([, text]) => !isValid(text))
      .map(([index, text]) => ({ list, index, text, expected })),
  );
}

/** Returns the allow-lists if all entries are valid. Throws AdminError. */
export function checkAllowLists(allow: AllowLists, methods: readonly string[]): AllowLists {
  for (const method of allow.methods ?? []) {
    if (methods.includes(method)) continue;
    throw new AdminError(`unknown method "${method}", expected one of ${methods.join(', ')}`);
  }
  const [invalid] = findInvalidEntries(allow);
  if (invalid === undefined) return allow;
  throw new AdminError(`invalid entry "${invalid.text}", expected ${invalid.expected}`);
}
