import type { AllowLists } from '../store/records.ts';
import { AdminError } from './admin-error.ts';

interface Kind {
  readonly name: keyof AllowLists;
  readonly isValid: (text: string) => boolean;
  readonly expected: string;
}

const kinds: readonly Kind[] = [
  {
    name: 'networks',
    isValid: (text) => /^[a-z][a-z0-9-]*$/.test(text),
    expected: 'the name of a network; lower case letters, digits and hyphens',
  },
  {
    name: 'origins',
    isValid: isOrigin,
    expected: 'the origin of a web page; e.g. https://app.example.org',
  },
  {
    name: 'contracts',
    isValid: (text) => /^0x[0-9a-f]{40}$/i.test(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text),
    expected: 'an address; 0x and 40 hexadecimal digits, or base 58',
  },
];

/** As browsers send it; URL knows no origins of schemes such as those of browsers' extensions. */
function isOrigin(text: string): boolean {
  if (!/^https?:/i.test(text)) return /^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(text);
  return URL.canParse(text) && new URL(text).origin === text;
}

/** An entry of a list that no call could ever match. */
export interface FutileEntry {
  readonly list: keyof AllowLists;
  readonly index: number;
  readonly text: string;
  /** What would be one; what to write follows a semicolon. */
  readonly expected: string;
}

/** Entries that are not written as networks, origins and contracts are. */
export function findFutileEntries(allow: {
  readonly [Name in keyof AllowLists]?: AllowLists[Name] | undefined;
}): readonly FutileEntry[] {
  return kinds.flatMap(({ name, isValid, expected }) =>
    [...(allow[name] ?? []).entries()]
      .filter(([, text]) => !isValid(text))
      .map(([index, text]) => ({ list: name, index, text, expected })),
  );
}

/** Gives back lists a key can go by. `methods` are those there are. Throws AdminError. */
export function checkAllowLists(allow: AllowLists, methods: readonly string[]): AllowLists {
  for (const method of allow.methods ?? []) {
    if (methods.includes(method)) continue;
    throw new AdminError(`there is no method ${method}; use some of ${methods.join(', ')}`);
  }
  const [wrong] = findFutileEntries(allow);
  if (wrong !== undefined) throw new AdminError(`"${wrong.text}" is not ${wrong.expected}`);
  return allow;
}
