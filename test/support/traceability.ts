/** The rows of the traceability page, and the mutations that the tests they cite have to notice. */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { parseExact, printExact } from '../../common/json/exact.ts';
import { joinPointer, splitPointer, valueAt } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';

export const root = new URL('../../', import.meta.url);
export const page = readFileSync(new URL('docs-site/content/traceability.md', root), 'utf8');
const table = readFileSync(new URL('../data/mutations.yaml', import.meta.url), 'utf8');

/** A test as a row cites it: its file, and its title or that of its suite as the source has it. */
export interface Citation {
  readonly file: string;
  readonly title: string;
}

export interface Row {
  readonly statement: string;
  readonly pointers: readonly string[];
  readonly tests: readonly Citation[];
}

export const rows: readonly Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes(' › '))
  .map((line) => {
    const [statement = '', where = '', held = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return {
      statement,
      pointers: where.split('<br>').map((pointer) => pointer.replaceAll('`', '').trim()),
      tests: held.split('<br>').map((one) => {
        const [file = '', title = ''] = one.split(' › ');
        return { file: file.replaceAll('`', '').trim(), title: title.trim() };
      }),
    };
  });

type Change = { readonly from: unknown; readonly to: unknown; readonly by?: string | string[] } & (
  | { readonly file: string; readonly at?: undefined }
  | { readonly at: string; readonly file?: undefined }
);

export type Mutation = Change & {
  /** What is replaced, and where. */
  readonly name: string;
  /** The statements it breaks: one, unless the table is wrong. */
  readonly rows: readonly Row[];
  /** The tests that have to fail. */
  readonly tests: readonly Citation[];
};

export const mutations: readonly Mutation[] = Object.entries(
  parse(table) as Record<string, Change[]>,
).flatMap(([key, changes]) => {
  const broken = rows.filter(({ statement }) => statement.includes(key));
  const cited = broken.flatMap(({ tests }) => tests);
  return changes.map((change) => {
    const by = change.by === undefined ? [''] : [change.by].flat();
    const tests = by.flatMap((part) => cited.filter(({ title }) => title.includes(part)));
    const name = `${key} (${change.file ?? change.at}: ${JSON.stringify(change.from)} → ${JSON.stringify(change.to)})`;
    return { ...change, name, rows: broken, tests };
  });
});

export const fileOf = ({ file }: Mutation): string => file ?? 'openrpc.json';

/** Returns the changed text of a file. Throws where what is replaced does not occur exactly once. */
export function mutate(text: string, mutation: Mutation): string {
  if (mutation.file !== undefined) return replaceOnce(text, mutation);
  const document = parseExact(text);
  const { holder, key, value } = changeOf(document, mutation);
  holder[key] = value;
  return `${printExact(document, 2)}\n`;
}

/** Returns what a mutation changes in the document, and the new value. */
export function changeOf(
  document: Json,
  mutation: Mutation,
): { holder: Record<string, unknown>; key: string; value: unknown } {
  const { at = '', from, to, name } = mutation;
  const tokens = splitPointer(at);
  const parent = tokens.slice(0, -1).reduce(joinPointer, '');
  const holder = (valueAt(document, parent) ?? {}) as Record<string, unknown>;
  const key = tokens.at(-1)!;
  const value = holder[key];
  if (typeof value === 'string') return { holder, key, value: replaceOnce(value, mutation) };
  if (isDeepStrictEqual(value, from)) return { holder, key, value: to };
  throw new Error(`${name}: expected ${JSON.stringify(from)}, got ${JSON.stringify(value)}`);
}

function replaceOnce(text: string, { from, to, name }: Mutation): string {
  const parts = text.split(String(from));
  if (parts.length === 2) return parts.join(String(to));
  throw new Error(`${name}: expected the text once, got it ${parts.length - 1} times`);
}
