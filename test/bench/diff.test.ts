import { expect, test } from 'vitest';
import { readCorpus } from '../../bench/diff/corpus.ts';
import { evaluate } from '../../bench/diff/evaluate.ts';
import { summarise } from '../../bench/diff/summary.ts';

/** Small documents: the large ones are for `npm run bench:diff`. */
const SMALL = /rich|simple-math|\/petstore-openrpc/;
const corpus = readCorpus().filter(({ name }) => SMALL.test(name));

const random = Math.trunc(Math.random() * 2 ** 31);

test.each([
  ['fixed', 1],
  ['random', random],
])(
  'every change that breaks is found and no harmless one called breaking, %s seed %i',
  async (_, seed) => {
    const tallies = await evaluate(corpus, { seed, rounds: 1, tries: 40 });
    const { missed, falseAlarms, text } = summarise(tallies);
    const failures = tallies.flatMap(({ name, failures }) =>
      failures.map((each) => `${name}: ${each}`),
    );
    expect(failures, text).toEqual([]);
    expect(missed + falseAlarms).toBe(0);
    expect(tallies.reduce((sum, { breaking }) => sum + breaking, 0)).toBeGreaterThan(80);
  },
  30_000,
);
