/**
 * Recall and precision of `specgate diff`, in three parts, of which `--only` runs one.
 *
 * mutations: changes of real documents at random places, what each means known by construction or
 * decided by Ajv. Prints a row for each mutation and for each document.
 *
 * kinds: changes of every kind in our document and three public ones. Calls and results prove what breaks
 * callers, and a program that is compiled proves what breaks generated code. `--markdown` prints the
 * page about them.
 *
 * histories: consecutive versions of documents. Random values are validated against both versions by
 * Ajv, and every break that a value proves has to be reported. `--histories FOLDER` adds documents: a
 * folder each, whose JSON files are versions in the order of their names.
 *
 * Exits with 1 when a change that breaks was missed or undecided, or a harmless one called breaking.
 *
 *   npm run bench:diff -- [--only PART] [--histories FOLDER] [--seed N] [--rounds N] [--tries N] [--markdown]
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { readCorpus } from './diff/corpus.ts';
import { evaluate } from './diff/evaluate.ts';
import type { PairResult } from './diff/histories/evaluate.ts';
import { readPairs } from './diff/histories/pairs.ts';
import { renderHistories } from './diff/histories/summary.ts';
import { renderSelfTestPage } from './diff/kinds/page.ts';
import { describeDocuments, runSelfTest } from './diff/kinds/run.ts';
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
    markdown: { type: 'boolean', default: false },
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

async function runKinds(): Promise<boolean> {
  const tallies = await runSelfTest(await readCorpus(), { seed, rounds, tries });
  const run = `--only kinds --markdown --rounds ${rounds} --seed ${seed} --tries ${tries}`;
  const command = `npm run -s bench:diff -- ${run}`;
  const date = new Date().toISOString().slice(0, 10);
  console.log(renderSelfTestPage(tallies, { command, date, documents: describeDocuments() }));
  const failures = tallies.flatMap(({ failures }) => failures);
  for (const each of failures) console.error(`  ${each}`);
  return failures.length === 0;
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

// A page is redirected to its file.
if (!values.markdown) console.log(`seed ${seed}`);
const parts = { mutations: runMutations, kinds: runKinds, histories: runHistories };
for (const [name, run] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  if (!(await run())) process.exitCode = 1;
}
