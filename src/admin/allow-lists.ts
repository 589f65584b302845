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
    isValid: (text) => URL.canParse(text) && new URL(text).origin === text,
    expected: 'the origin of a web page; e.g. https://app.example.org',
  },
  {
    name: 'contracts',
    isValid: (text) => /^0x[0-9a-f]{40}$/i.test(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text),
    expected: 'an address; 0x and 40 hexadecimal digits, or base 58',
  },
];

/** Gives back lists a key can go by. `methods` are those there are. Throws AdminError. */
export function checkAllowLists(allow: AllowLists, methods: readonly string[]): AllowLists {
  for (const method of allow.methods ?? []) {
    if (methods.includes(method)) continue;
    throw new AdminError(`there is no method ${method}; use some of ${methods.join(', ')}`);
  }
  for (const { name, isValid, expected } of kinds) {
    const wrong = allow[name]?.find((text) => !isValid(text));
    if (wrong !== undefined) throw new AdminError(`"${wrong}" is not ${expected}`);
  }
  return allow;
}
