/**
 * Detection rate and false alarms of `specgate verify`: broken servers, made from documents by
 * mutation, and correct ones that look odd. Exits with 1 when a defect of our own document was missed
 * or a correct server was accused.
 *
 *   npm run bench:verify -- [--seed N] [--max-calls N] [--details]
 */
import { parseArgs } from 'node:util';
import { readCorpus } from './diff/corpus.ts';
import { evaluate, makeSubject, type Outcome } from './verify/evaluate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    'max-calls': { type: 'string', default: '2000' },
    document: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    details: { type: 'boolean', default: false },
  },
});
const DOCUMENTS = new Set(['openrpc.json', '@metamask/api-specs/openrpc.json']);
const seed = Number(values.seed);
const maxCalls = Number(values['max-calls']);
const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

console.log(`at most ${maxCalls} calls for each server, seed ${seed}\n`);
console.log('| document | defects | found | odd servers | false alarms | median calls | maximum |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
const corpus = await readCorpus();
for (const { name, document } of corpus.filter(
  ({ name }) => DOCUMENTS.has(name) && name.startsWith(values.document),
)) {
  const subject = await makeSubject(document, seed);
  const outcomes: Outcome[] = [];
  const chosen = {
    ...subject,
    defects: subject.defects.filter((each) => each.name.includes(values.only)),
    odd: subject.odd.filter((each) => each.name.includes(values.only)),
  };
  for await (const outcome of evaluate(chosen, { maxCalls, seed })) {
    outcomes.push(outcome);
    if (values.details)
      console.error(
        `${outcome.isDefect === (outcome.found !== null) ? 'ok  ' : 'MISS'} ${outcome.name}: ${outcome.found ?? 'nothing'} after ${outcome.calls}`,
      );
  }
  const defects = outcomes.filter(({ isDefect }) => isDefect);
  const found = defects.filter((each) => each.found !== null);
  const odd = outcomes.filter(({ isDefect }) => !isDefect);
  const alarms = odd.filter((each) => each.found !== null);
  const calls = found.map((each) => each.calls);
  const rate = ((100 * found.length) / defects.length).toFixed(1);
  console.log(
    `| ${name} | ${defects.length} | ${found.length} (${rate} %) | ${odd.length} | ${alarms.length} | ${median(calls)} | ${Math.max(0, ...calls)} |`,
  );
  const missed = defects.filter((each) => each.found === null);
  for (const each of missed) console.log(`  missed: ${each.name}`);
  for (const each of alarms) console.log(`  false alarm: ${each.name}: ${each.found!}`);
  if (alarms.length > 0 || (name === 'openrpc.json' && missed.length > 0)) process.exitCode = 1;
}
