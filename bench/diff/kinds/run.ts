import { readFileSync } from 'node:fs';
import type { CorpusDocument } from '../corpus.ts';
import { compileCallers } from './compile.ts';
import { evaluateKinds } from './evaluate.ts';
import type { Graft } from './graft.ts';
import type { KindTally } from './tally.ts';

/** Our document and one of each of three published packages. */
export const selfTestDocuments: readonly (readonly [name: string, source: string])[] = [
  ['openrpc.json', 'our own `openrpc.json`'],
  ['@metamask/api-specs/openrpc.json', '@metamask/api-specs'],
  ['@firebolt-js/sdk/firebolt-core-open-rpc.json', '@firebolt-js/sdk'],
  ['@open-rpc/examples/petstore-expanded-openrpc.json', '@open-rpc/examples'],
];

/** Names the documents with the versions of their packages. */
export function describeDocuments(): readonly string[] {
  return selfTestDocuments.map(([, source]) => {
    if (!source.startsWith('@')) return source;
    const path = new URL(`../../../node_modules/${source}/package.json`, import.meta.url);
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
    return `\`${source}\` ${version}`;
  });
}

/** Makes changes of every kind in the documents, and compiles a program for the first in each. */
export async function runSelfTest(
  corpus: readonly CorpusDocument[],
  options: { readonly seed: number; readonly rounds: number; readonly tries: number },
): Promise<readonly KindTally[]> {
  const names = new Set(selfTestDocuments.map(([name]) => name));
  const documents = corpus.filter(({ name }) => names.has(name));
  const samples: { tally: KindTally; graft: Graft }[] = [];
  const sample = (tally: KindTally, graft: Graft) => void samples.push({ tally, graft });
  const tallies = await evaluateKinds(documents, { ...options, sample });
  const broken = await compileCallers(samples.map(({ graft }) => graft));
  for (const [index, { tally }] of samples.entries()) {
    tally.compiled += 1;
    tally.breaksCode += broken[index] === true ? 1 : 0;
  }
  return tallies;
}
