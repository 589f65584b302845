/** A set of Unicode code points: inclusive ranges in ascending order that neither overlap nor touch. */
export type Characters = readonly (readonly [number, number])[];

export const MAX_CODE_POINT = 0x10ffff;

export const anyCharacter: Characters = [[0, MAX_CODE_POINT]];

/** The set of these ranges, in any order and overlapping or not. */
export function unite(ranges: Characters): Characters {
  const sorted = ranges.toSorted(([a], [b]) => a - b);
  const united: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = united.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else united.push([from, to]);
  }
  return united;
}

/** Every character that is not in the set. */
export function complement(set: Characters): Characters {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= MAX_CODE_POINT) rest.push([next, MAX_CODE_POINT]);
  return rest;
}

export function hasCharacter(set: Characters, codePoint: number): boolean {
  return set.some(([from, to]) => from <= codePoint && codePoint <= to);
}

/** The set of the characters of a text. */
export function charactersOf(text: string): Characters {
  return unite([...text].map((each) => [each.codePointAt(0)!, each.codePointAt(0)!]));
}

const digits: Characters = [[48, 57]];
const word = unite([...digits, [65, 90], [95, 95], [97, 122]]);
// ECMAScript 2024, 22.2.2.9: WhiteSpace and LineTerminator.
const space = unite([
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);

/** What `\d`, `\W`, … stand for in a pattern, by the letter. */
export const characterClasses: Readonly<Record<string, Characters>> = {
  d: digits,
  D: complement(digits),
  w: word,
  W: complement(word),
  s: space,
  S: complement(space),
};

/** What `.` stands for: anything but the end of a line. */
export const notLineEnd = complement(
  unite([
    [10, 10],
    [13, 13],
    [0x2028, 0x2029],
  ]),
);
