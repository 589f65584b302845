import type { Json } from '../../common/json/value.ts';

const TYPES: Readonly<Record<string, Json>> = {
  null: null,
  boolean: true,
  number: 42,
  string: 'text',
  array: [],
  object: {},
};

/** Returns a value of each type that a value does not have. */
export function otherTypes(value: Json): readonly (readonly [type: string, value: Json])[] {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  return Object.entries(TYPES).filter(([name]) => name !== type);
}

/** Returns texts that differ from a given one in ways that clients and servers often get wrong. */
export function textsNear(text: string): readonly (readonly [title: string, text: string])[] {
  const near: readonly (readonly [string, string])[] = [
    ['one character shorter', text.slice(0, -1)],
    ['two characters shorter', text.slice(0, -2)],
    ['one character longer', `${text}0`],
    ['two characters longer', `${text}00`],
    ['with a different last character', `${text.slice(0, -1)}g`],
    [
      'in upper case',
      text.startsWith('0x') ? `0x${text.slice(2).toUpperCase()}` : text.toUpperCase(),
    ],
    ['with an upper-case prefix', text.replace('0x', '0X')],
    ['without its prefix', text.slice(2)],
    ['only its prefix', text.slice(0, 2)],
    ['with a leading zero', text.replace('0x', '0x0')],
    ['empty', ''],
    ['with a leading space', ` ${text}`],
    ['with a trailing line break', `${text}\n`],
    ['with a leading minus sign', `-${text}`],
    ['far longer', `${text}${'1'.repeat(80)}`],
    ['with a letter of another script', `${text.slice(0, -1)}é`],
  ];
  return near.filter(([, each]) => each !== text);
}
