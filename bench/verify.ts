/**
 * Detection rate and false alarms of `specgate verify`: broken servers, made from documents by
 * mutation, and correct ones that look odd. Beside it, @open-rpc/test-coverage on the same servers; it
 * only speaks HTTP. Exits with 1 when a defect of our own document was missed or a correct server was
 * accused.
 *
 *   npm run bench:verify -- [--seed N] [--max-calls N] [--details] [--list]
 */
import { parseArgs } from 'node:util';
import { readCorpus } from './diff/corpus.ts';
import { evaluate, makeSubject, type Outcome } from './verify/evaluate.ts';
import type { ToolOutcome } from './verify/test-coverage.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    'max-calls': { type: 'string', default: '2000' },
    document: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    details: { type: 'boolean', default: false },
    // Prints the names of the servers and exits.
    list: { type: 'boolean', default: false },
  },
});
const DOCUMENTS = new Set(['openrpc.json', '@metamask/api-specs/openrpc.json']);
const seed = Number(values.seed);
const maxCalls = Number(values['max-calls']);
const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

const corpus = await readCorpus('exact');
const documents = corpus.filter(
  ({ name }) => DOCUMENTS.has(name) && name.startsWith(values.document),
);
if (values.list) {
  for (const { name, document } of documents) {
    const { defects, odd } = await makeSubject(document, seed);
    console.log(`${name}: ${defects.length} defects, ${odd.length} odd servers`);
    for (const each of defects) console.log(`  ${each.name}`);
    for (const each of odd) console.log(`  odd: ${each.name}`);
  }
  process.exit();
}
console.log(`at most ${maxCalls} calls for each server, seed ${seed}\n`);
const heads = ['document', 'tool', 'defects', 'found', 'odd servers', 'false alarms'];
console.log(`| ${[...heads, 'median calls', 'maximum'].join(' | ')} |`);
console.log(`| --- | --- |${' ---: |'.repeat(6)}`);
for (const { name, document } of documents) {
  const subject = await makeSubject(document, seed);
  const outcomes: Outcome[] = [];
  const chosen = {
    ...subject,
    defects: subject.defects.filter((each) => each.name.includes(values.only)),
    odd: subject.odd.filter((each) => each.name.includes(values.only)),
  };
  const options = { maxCalls, seed, besideTestCoverage: true };
  for await (const outcome of evaluate(chosen, options)) {
    outcomes.push(outcome);
    if (values.details) printDetails(outcome);
  }
  const { missed, alarms } = printRow(name, 'specgate verify', outcomes, ({ verify }) => verify);
  printRow(name, '@open-rpc/test-coverage', outcomes, ({ testCoverage }) => testCoverage!);
  for (const each of missed) console.log(`  missed: ${each.name}`);
  for (const each of alarms) console.log(`  false alarm: ${each.name}: ${each.verify.found!}`);
  if (alarms.length > 0 || (name === 'openrpc.json' && missed.length > 0)) process.exitCode = 1;
}
// A run of the other tool that took too long may still be waiting for an answer.
process.exit();

function printDetails({ name, isDefect, verify, testCoverage }: Outcome): void {
  const isRight = isDefect === (verify.found !== null);
  const other = testCoverage?.found ? ' (also found by test-coverage)' : '';
  console.error(
    `${isRight ? 'ok  ' : 'MISS'} ${name}: ${verify.found ?? 'nothing'} after ${verify.calls}${other}`,
  );
}

function printRow(
  document: string,
  tool: string,
  outcomes: readonly Outcome[],
  of: (outcome: Outcome) => ToolOutcome,
) {
  const defects = outcomes.filter(({ isDefect }) => isDefect);
  const found = defects.filter((each) => of(each).found !== null);
  const missed = defects.filter((each) => of(each).found === null);
  const odd = outcomes.filter(({ isDefect }) => !isDefect);
  const alarms = odd.filter((each) => of(each).found !== null);
  const calls = found.map((each) => of(each).calls);
  const rate = ((100 * found.length) / Math.max(1, defects.length)).toFixed(1);
  const cells = [document, tool, defects.length, `${found.length} (${rate} %)`, odd.length];
  console.log(`| ${[...cells, alarms.length, median(calls), Math.max(0, ...calls)].join(' | ')} |`);
  return { missed, alarms };
}
