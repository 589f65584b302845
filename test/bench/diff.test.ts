import { expect, test } from 'vitest';
import { readCorpus } from '../../bench/diff/corpus.ts';
import { evaluate } from '../../bench/diff/evaluate.ts';
import { summarise } from '../../bench/diff/summary.ts';
import { seedOfCases } from '../support/soak.ts';

/** Small documents: the large ones are for `npm run bench:diff`. */
const SMALL = /rich|simple-math|\/petstore-openrpc/;
const corpus = readCorpus().filter(({ name }) => SMALL.test(name));

const seed = seedOfCases();

test(`every change that breaks is found and no harmless one called breaking, seed ${seed}`, async () => {
  const tallies = await evaluate(corpus, { seed, rounds: 1, tries: 40 });
  const { missed, falseAlarms, text } = summarise(tallies);
  const failures = tallies.flatMap(({ name, failures }) =>
    failures.map((each) => `${name}: ${each}`),
  );
  expect(failures, text).toEqual([]);
  expect(missed + falseAlarms).toBe(0);
  expect(tallies.reduce((sum, { breaking }) => sum + breaking, 0)).toBeGreaterThan(80);
}, 30_000);
