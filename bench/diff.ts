/**
 * Recall and precision of `specgate diff`: mutations of real documents at random places, what each
 * means known by construction or decided by Ajv. Prints a row for each mutation and for each document,
 * and exits with 1 when a change that breaks was missed or a harmless one called breaking.
 *
 *   npm run bench:diff -- [--seed N] [--rounds N] [--tries N]
 */
import { parseArgs } from 'node:util';
import { readCorpus } from './diff/corpus.ts';
import { evaluate } from './diff/evaluate.ts';
import {
  mergeTallies,
  renderDocuments,
  renderTallies,
  summarize,
  type DocumentTallies,
} from './diff/summary.ts';

const { values } = parseArgs({
  options: {
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
const corpus = await readCorpus();
console.log(
  `${corpus.length} documents, ${rounds} rounds, ${tries} values a search, seed ${seed}\n`,
);
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
if (missed + falseAlarms > 0) process.exitCode = 1;
