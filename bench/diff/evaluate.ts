import type { CorpusDocument } from './corpus.ts';
import { diffOf } from './document.ts';
import { createChance } from './instances/instances.ts';
import { createDraw, type Mutation } from './mutation.ts';
import { applyToSchema } from './evaluate-schema.ts';
import { schemaMutations } from './schema-mutations.ts';
import { isAlarm, newTally, ofChange, type Once, type Tally } from './tally.ts';
import { breakingMutations } from './breaking.ts';
import { harmlessMutations } from './harmless.ts';
import { refactorings } from './refactorings.ts';

interface EvaluationOptions {
  readonly seed: number;
  /** Applications of each mutation to each document, at most. */
  readonly rounds: number;
  /** Values tried in search of one that only one of two schemas allows. */
  readonly tries: number;
}

/** Applies every mutation to documents of the corpus, and checks what the differ reports. */
export async function evaluate(
  corpus: readonly CorpusDocument[],
  { seed, rounds, tries }: EvaluationOptions,
): Promise<readonly Tally[]> {
  const draw = createDraw(createChance(seed));
  const tallies: Tally[] = [];
  const run = async (tally: Tally, apply: (each: CorpusDocument) => Promise<void>) => {
    tallies.push(tally);
    for (const each of corpus) for (let round = 0; round < rounds; round += 1) await apply(each);
  };
  for (const mutation of [...breakingMutations, ...harmlessMutations, ...refactorings]) {
    const { name, expects } = mutation;
    const tally = newTally(name, expects === 'harmless' ? 'harmless' : 'breaking');
    await run(tally, (each) => applyOnce(mutation, each, { draw, tally }));
  }
  for (const group of ['request schema', 'response schema'] as const) {
    for (const mutation of schemaMutations) {
      const tally = newTally(mutation.name, group);
      await run(tally, (each) => applyToSchema(mutation, each, { draw, tally, tries }));
    }
  }
  return tallies;
}

async function applyOnce(
  mutation: Mutation,
  { name, document }: CorpusDocument,
  { draw, tally }: Once,
): Promise<void> {
  const changed = structuredClone(document);
  if (!mutation.apply(changed, draw)) return;
  tally.applied += 1;
  const changes = ofChange(await diffOf(document, changed));
  if (mutation.expects === 'harmless') {
    const alarms = changes.filter(isAlarm);
    tally.falseAlarms += alarms.length > 0 ? 1 : 0;
    for (const alarm of alarms)
      tally.failures.push(`${name}: ${alarm.kind} ${alarm.subject} ${alarm.what}`);
    return;
  }
  const { breaking } = mutation.expects;
  tally.breaking += 1;
  const isFound = changes.some(
    ({ kind, severity }) => severity === 'error' && breaking.includes(kind),
  );
  if (isFound) tally.found += 1;
  else tally.failures.push(`${name}: not found; ${changes.map(({ kind }) => kind).join(', ')}`);
}
