/**
 * Recall and precision of `specgate diff`, in two parts, of which `--only` runs one.
 *
 * mutations: changes of real documents at random places, what each means known by construction or
 * decided by Ajv. Prints a row for each mutation and for each document.
 *
 * histories: consecutive versions of documents. Random values are validated against both versions by
 * Ajv, and every break that a value proves has to be reported. `--histories FOLDER` adds documents: a
 * folder each, whose JSON files are versions in the order of their names.
 *
 * Exits with 1 when a change that breaks was missed or undecided, or a harmless one called breaking.
 *
 *   npm run bench:diff -- [--only PART] [--histories FOLDER] [--seed N] [--rounds N] [--tries N]
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { readCorpus } from './diff/corpus.ts';
import { evaluate } from './diff/evaluate.ts';
import type { PairResult } from './diff/histories/evaluate.ts';
import { readPairs } from './diff/histories/pairs.ts';
import { renderHistories } from './diff/histories/summary.ts';
import {
  mergeTallies,
  renderDocuments,
  renderTallies,
  summarize,
  type DocumentTallies,
} from './diff/summary.ts';

const MAX_PAIR_MS = 300_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    histories: { type: 'string' },
    seed: { type: 'string', default: String(Math.trunc(Math.random() * 2 ** 31)) },
    rounds: { type: 'string', default: '6' },
    tries: { type: 'string', default: '300' },
  },
});
const [seed, rounds, tries] = [values.seed, values.rounds, values.tries].map(Number) as [
  number,
  number,
  number,
];

async function runMutations(): Promise<boolean> {
  const corpus = await readCorpus();
  console.log(`${corpus.length} documents, ${rounds} rounds, ${tries} values a search\n`);
  const documents: DocumentTallies[] = [];
  for (const each of corpus) {
    const tallies = await evaluate([each], { seed, rounds, tries });
    documents.push({ name: each.name, tallies });
  }
  const tallies = mergeTallies(documents);
  console.log(renderTallies(tallies));
  const { missed, falseAlarms, text } = summarize(tallies);
  console.log(`\n${renderDocuments(documents)}\n\n${text}`);
  for (const { name, failures } of tallies)
    for (const each of failures) console.log(`  ${name}: ${each}`);
  return missed + falseAlarms === 0;
}

async function runHistories(): Promise<boolean> {
  const run = promisify(execFile);
  const script = join(import.meta.dirname, 'diff/histories/run.ts');
  const results: PairResult[] = [];
  for (const pair of readPairs(values.histories)) {
    const args = [script, JSON.stringify(pair), JSON.stringify({ seed, tries })];
    const { stdout } = await run(process.execPath, args, { timeout: MAX_PAIR_MS });
    results.push(JSON.parse(stdout) as PairResult);
  }
  console.log(`${results.length} pairs of versions, ${tries} values a search\n`);
  console.log(renderHistories(results));
  const failures = results.flatMap((result) => result.failures);
  for (const each of failures) console.log(`  ${each}`);
  return failures.length === 0;
}

console.log(`seed ${seed}`);
const parts = { mutations: runMutations, histories: runHistories };
for (const [name, run] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  if (!(await run())) process.exitCode = 1;
}
