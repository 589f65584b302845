import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCorpus, type PlainDocument } from '../../bench/diff/corpus.ts';
import { createChance } from '../../bench/diff/instances/instances.ts';
import { compileCallers } from '../../bench/diff/kinds/compile.ts';
import { evaluateKinds } from '../../bench/diff/kinds/evaluate.ts';
import { graft } from '../../bench/diff/kinds/graft.ts';
import { renderSelfTestPage } from '../../bench/diff/kinds/page.ts';
import { policy } from '../../bench/diff/kinds/policy.ts';
import { describeDocuments } from '../../bench/diff/kinds/run.ts';
import { newKindTally } from '../../bench/diff/kinds/tally.ts';
import { createDraw } from '../../bench/diff/mutation.ts';
import { kindOf, kinds } from '../../generator/diff/kinds/index.ts';
import { seedOfCases } from '../support/soak.ts';

const page = readFileSync(
  new URL('../../docs-site/content/toolchain/diff-self-test.md', import.meta.url),
  'utf8',
);
const corpus = await readCorpus();
const small = corpus.find(({ name }) => name.endsWith('/petstore-openrpc.json'))!;
const seed = seedOfCases();

/** The rows of the tables of a page, by kind. */
function rowsOf(text: string): ReadonlyMap<string, string> {
  const rows = text.split('\n').filter((line) => line.startsWith('| [`'));
  return new Map(rows.map((row) => [/^\| \[`([^`]+)`\]/.exec(row)![1]!, row]));
}

test('every kind of change has its row in the published self-test, with its severities', () => {
  const rows = rowsOf(page);
  expect([...rows.keys()].toSorted()).toEqual(kinds.map(({ id }) => id).toSorted());
  const severitiesOf = (row: string) =>
    row
      .split('|')
      .slice(2, 4)
      .map((cell) => cell.trim());
  const published = kinds.map(({ id }) => [id, ...severitiesOf(rows.get(id)!)]);
  expect(published).toEqual(kinds.map(({ id, levels }) => [id, levels.wire, levels.source]));
});

test('the published self-test names the installed versions of its documents', () => {
  for (const document of describeDocuments()) expect(page).toContain(document);
});

test('every kind that policy keeps below error exists, and is below error', () => {
  const wire = new Map<string, string>(kinds.map(({ id, levels }) => [id, levels.wire]));
  const levels = Object.keys(policy).map((id) => wire.get(id));
  expect(levels.filter((level) => level === undefined || level === 'error')).toEqual([]);
});

test(`a change of every kind in a public document is reported as its kind, seed ${seed}`, async () => {
  const tallies = await evaluateKinds([small], { seed, rounds: 1, tries: 30 });
  expect(tallies.flatMap(({ failures }) => failures)).toEqual([]);
  expect(tallies.every(({ applied }) => applied === 1)).toBe(true);
  const proven = tallies.filter(({ breaksCallers }) => breaksCallers > 0);
  expect(proven.length).toBeGreaterThan(40);
});

test('a program of a caller is compiled against the code that the newer document generates', async () => {
  const draw = createDraw(createChance(seed));
  const pairs = (
    ['method-added', 'param-added-required', 'request-pattern-tightened'] as const
  ).map((id) => graft(kindOf(id)!, small.document, { draw, isDeep: false })!);
  expect(await compileCallers(pairs)).toEqual([false, true, false]);
});

test('the page of the self-test shows what breaks, and why it may be no error', () => {
  const tallies = kinds.map((kind) => newKindTally(kind));
  const tally = tallies.find(({ kind }) => kind.id === 'response-value-added')!;
  Object.assign(tally, { applied: 2, provable: 2, breaksCallers: 1, compiled: 1, breaksCode: 1 });
  tally.reported.warning = 2;
  const run = { command: 'npm run x', date: '2026-01-01', documents: ['a 1', 'b 2'] };
  const text = renderSelfTestPage(tallies, run);
  expect(text).toContain('Run on 2026-01-01 with a 1, b 2.');
  expect(rowsOf(text).get('response-value-added')).toBe(
    '| [`response-value-added`](diff-changes.md#response-value-added) | warning | error | 1 of 2 (policy) | 1 of 1 | warning 2 |',
  );
  expect(rowsOf(text).get('plan-added')).toContain('| – |');
});

test('the example of a kind is put into a method, whose own lifetime is left out', () => {
  const document = {
    methods: [{ name: 'a', params: [], deprecated: true, 'x-sunset': '2099-01-01' }],
  } as unknown as PlainDocument;
  const draw = createDraw(createChance(1));
  const pair = graft(kindOf('method-deprecated-without-sunset')!, document, {
    draw,
    isDeep: false,
  });
  expect(pair).toEqual({
    old: { methods: [{ name: 'a', params: [] }] },
    new: { methods: [{ name: 'a', params: [], deprecated: true }] },
    methods: ['a'],
  });
});
