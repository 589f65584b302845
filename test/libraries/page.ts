/** The tables of the guide "Use your own library". */
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'oxfmt';
import { expect } from 'vitest';
import { cases, type MethodName } from './cases.ts';
import { libraries } from './drivers/index.ts';
import { groups, transportNames, type Library, type Transport } from './library.ts';

const GUIDE = new URL('../../docs-site/content/guides/libraries.md', import.meta.url);
/** From the first table's heading to the next heading of a higher level. */
const TABLES = new RegExp(`^### ${groups[0]}$.*?(?=^## )`, 'ms');

/** The outcome of one call: a cell of the tables. */
export interface Outcome {
  readonly client: Library;
  readonly transport: Transport;
  readonly method: MethodName;
  readonly works: boolean;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const namesOf = (transports: readonly Transport[]): string =>
  transports.map((transport) => transportNames[transport]).join(', ');

/** The transports over which a library made calls. */
function transportsOf(library: Library, outcomes: readonly Outcome[]): string {
  const own = outcomes.filter((outcome) => outcome.client === library);
  return namesOf([...new Set(own.map(({ transport }) => transport))]);
}

/** The function that makes a call, and the transports over which it fails. */
function cellOf(library: Library, method: MethodName, outcomes: readonly Outcome[]): string {
  const name = library.functionOf(method);
  if (name === undefined) return 'not offered';
  const failed = outcomes.filter(
    (outcome) => outcome.client === library && outcome.method === method && !outcome.works,
  );
  if (failed.length === 0) return `\`${name}\``;
  return `\`${name}\` **fails** over ${namesOf(failed.map(({ transport }) => transport))}`;
}

function tableOf(group: Library['group'], outcomes: readonly Outcome[]): string {
  const members = libraries.filter((library) => library.group === group);
  const methods = cases
    .map(({ method }) => method)
    .filter((method) => members.some((library) => library.functionOf(method) !== undefined));
  const lines = [
    row(['Method', ...members.map(({ name, version }) => `${name} ${version}`)]),
    row(['---', ...members.map(() => '---')]),
    row(['over', ...members.map((library) => transportsOf(library, outcomes))]),
    ...methods.map((method) =>
      row([`\`${method}\``, ...members.map((library) => cellOf(library, method, outcomes))]),
    ),
  ];
  const reasons = members.flatMap(({ name, without }) =>
    Object.entries(without).map(
      ([transport, reason]) =>
        `- Not offered: ${name} over ${transportNames[transport as Transport]}. It ${reason}.`,
    ),
  );
  const refusals = members.flatMap(({ name, refused = {} }) =>
    Object.entries(refused).map(
      ([transport, method]) =>
        `- ${name} over ${transportNames[transport as Transport]} also calls \`${method}\` on its own. The service rejects that call free of charge, and the library continues.`,
    ),
  );
  const sources = members
    .filter(({ source }) => source !== undefined)
    .map(({ name, source }) => `- ${name} itself is not run. Its requests are ${source}.`);
  const notes = [...reasons, ...refusals, ...sources].join('\n');
  return [`### ${group}`, lines.join('\n'), notes].join('\n\n');
}

/** Compares the guide with the outcomes; with SPECGATE_WRITE=1, writes it instead. */
export async function compareGuide(outcomes: readonly Outcome[]): Promise<void> {
  const text = readFileSync(GUIDE, 'utf8');
  const tables = groups.map((group) => tableOf(group, outcomes)).join('\n\n');
  const { code: wanted } = await format(
    'libraries.md',
    text.replace(TABLES, () => `${tables}\n\n`),
    { printWidth: 100, singleQuote: true },
  );
  if (process.env['SPECGATE_WRITE'] === '1') writeFileSync(GUIDE, wanted);
  else expect(text, 'libraries.md is out of date; run npm run libraries').toBe(wanted);
}
