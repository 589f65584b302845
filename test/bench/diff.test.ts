import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCorpus } from '../../bench/diff/corpus.ts';
import { evaluate } from '../../bench/diff/evaluate.ts';
import { evaluatePair } from '../../bench/diff/histories/evaluate.ts';
import { readPairs } from '../../bench/diff/histories/pairs.ts';
import { renderHistories } from '../../bench/diff/histories/summary.ts';
import { mergeTallies, renderDocuments, summarize } from '../../bench/diff/summary.ts';
import { newTally } from '../../bench/diff/tally.ts';
import { documentOf, methodOf } from '../generator/support/document.ts';
import { seedOfCases } from '../support/soak.ts';

/** Small documents: the large ones are for `npm run bench:diff`. */
const SMALL = /rich|simple-math|\/petstore-openrpc/;
const documents = await readCorpus();
const corpus = documents.filter(({ name }) => SMALL.test(name));

const seed = seedOfCases();

test(`every change that breaks is found and no harmless one called breaking, seed ${seed}`, async () => {
  const tallies = await evaluate(corpus, { seed, rounds: 1, tries: 40 });
  const { missed, falseAlarms, text } = summarize(tallies);
  const failures = tallies.flatMap(({ name, failures }) =>
    failures.map((each) => `${name}: ${each}`),
  );
  expect(failures, text).toEqual([]);
  expect(missed + falseAlarms).toBe(0);
  expect(tallies.reduce((sum, { breaking }) => sum + breaking, 0)).toBeGreaterThan(80);
});

test('figures are printed for each document and for all of them', () => {
  const tally = (counts: object) => ({ ...newTally('remove a method', 'breaking'), ...counts });
  const figures = [
    { name: 'a', tallies: [tally({ applied: 4, breaking: 4, found: 3, failures: ['one'] })] },
    { name: 'b', tallies: [tally({ applied: 2, breaking: 1, policy: 1, falseAlarms: 1 })] },
  ];
  expect(renderDocuments(figures).split('\n').slice(2)).toEqual([
    '| a | 4 | 4 | 3 | 0 | 75.00 | 100.00 | 0 |',
    '| b | 2 | 1 | 0 | 1 | 100.00 | 0.00 | 0 |',
    '| all | 6 | 5 | 3 | 1 | 80.00 | 75.00 | 0 |',
  ]);
  expect(mergeTallies(figures)).toEqual([
    tally({ applied: 6, breaking: 5, found: 3, policy: 1, falseAlarms: 1, failures: ['one'] }),
  ]);
});

test('documents of three published packages are in the corpus', () => {
  const packages = documents.map(({ name }) => name.split('/').slice(0, 2).join('/'));
  const published = new Set(packages.filter((name) => name.startsWith('@')));
  expect(published).toEqual(
    new Set(['@metamask/api-specs', '@firebolt-js/sdk', '@open-rpc/examples']),
  );
});

test('every break that a value proves between versions is counted by what diff reports about it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'histories-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'service'));
  const values = [
    [{ type: 'string' }, { enum: ['a'] }, 1],
    [{ type: 'string', maxLength: 3 }, { enum: ['a', 'b'] }, 2],
  ];
  for (const [param, result, version] of values) {
    const document = documentOf([methodOf('narrowed', param), methodOf('grown', {}, result)]);
    writeFileSync(join(folder, 'service', `${version as number}.json`), JSON.stringify(document));
  }
  const pair = readPairs(folder).find(({ document }) => document === 'service')!;
  const result = await evaluatePair(pair, { seed, tries: 200 });
  expect(result).toMatchObject({
    parts: 2,
    breaks: { error: 1, policy: 1, undecided: 0, silent: 0 },
    wrong: 0,
    failures: [],
  });
  expect(
    renderHistories([{ ...result, milliseconds: 5, megabytes: 1 }])
      .split('\n')
      .at(-1),
  ).toBe('| all | 1 | 2 | 50.0 | 50.0 | 0.0 | 0.0 | 1 | 1 | 0 | 0 | ≤ 5 | ≤ 1 |');
});
