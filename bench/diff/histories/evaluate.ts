import { readFileSync } from 'node:fs';
import { isUndecided, type ClassifiedChange } from '../../../generator/diff/classify.ts';
import { diffDocuments } from '../../../generator/diff/diff.ts';
import { DEFAULTS, toLoaded } from '../document.ts';
import { createChance } from '../instances/instances.ts';
import { ofChange } from '../tally.ts';
import { findBreaks, type ProvenBreak } from './breaks.ts';
import { isConfirmed } from '../confirm.ts';
import type { PlainDocument } from '../corpus.ts';
import type { Model } from '../../../generator/model/model.ts';
import type { VersionPair } from './pairs.ts';

/** What diff reports about a proven break, from the best answer to the worst. */
export const outcomes = ['error', 'policy', 'undecided', 'silent'] as const;
type Outcome = (typeof outcomes)[number];

export interface PairResult {
  readonly document: string;
  readonly name: string;
  /** Parameters and results whose schemas differ. */
  readonly parts: number;
  readonly breaks: Readonly<Record<Outcome, number>>;
  readonly errors: number;
  readonly warnings: number;
  /** Errors with a value that Ajv does not confirm. */
  readonly wrong: number;
  /** Comparisons that were not decided. */
  readonly undecided: number;
  readonly milliseconds: number;
  /** Peak memory of the process above what it took before the comparison. */
  readonly megabytes: number;
  readonly failures: readonly string[];
}

/** Compares two versions of a document, and checks what is reported about each proven break. */
export async function evaluatePair(
  { document, name, files }: VersionPair,
  { seed, tries }: { readonly seed: number; readonly tries: number },
): Promise<PairResult> {
  const [old, fresh] = await Promise.all(
    files.map((file) => toLoaded(JSON.parse(readFileSync(file, 'utf8')), file)),
  );
  const documents = { old: old!, new: fresh! };
  const before = process.resourceUsage().maxRSS;
  const start = performance.now();
  const diff = diffDocuments(documents, DEFAULTS);
  const milliseconds = performance.now() - start;
  const megabytes = (process.resourceUsage().maxRSS - before) / 1024;
  const models = { old: old!.model, new: fresh!.model };
  const { breaks, parts } = findBreaks(models, { chance: createChance(seed), tries });
  const changes = ofChange(diff);
  const found = breaks.map((each) => ({ ...each, outcome: outcomeOf(each, changes) }));
  const wrong = changes.filter((each) => isWrong(each, [old!.model, fresh!.model]));
  const countOf = (outcome: Outcome) => found.filter((each) => each.outcome === outcome).length;
  const count = (severity: string) => changes.filter((each) => each.severity === severity).length;
  return {
    document,
    name,
    parts,
    breaks: Object.fromEntries(
      outcomes.map((each) => [each, countOf(each)]),
    ) as PairResult['breaks'],
    errors: count('error'),
    warnings: count('warning'),
    wrong: wrong.length,
    undecided: changes.filter(isUndecided).length,
    milliseconds,
    megabytes,
    failures: [
      ...found
        .filter(({ outcome }) => outcome === 'undecided' || outcome === 'silent')
        .map(({ outcome, method, role, witness }) => {
          return `${name}: ${outcome}: ${method}, ${role}: ${JSON.stringify(witness)}`;
        }),
      ...wrong.map(({ kind, subject, what }) => `${name}: wrong: ${kind} ${subject}: ${what}`),
    ],
  };
}

/** A schema that is a variant of itself exceeds Ajv's stack; then nothing is said about its values. */
function isWrong(change: ClassifiedChange, models: readonly [Model, Model]): boolean {
  const documents = models.map(({ document }) => document) as unknown as [
    PlainDocument,
    PlainDocument,
  ];
  return (
    change.severity === 'error' &&
    change.witness !== undefined &&
    isConfirmed(change, documents) === false
  );
}

function outcomeOf({ method, role }: ProvenBreak, changes: readonly ClassifiedChange[]): Outcome {
  const prefixes = role === 'result' ? ['response-', 'result-'] : ['request-', 'param-', 'named-'];
  const own = changes.filter(
    ({ kind, methods }) =>
      methods.includes(method) && prefixes.some((prefix) => kind.startsWith(prefix)),
  );
  if (own.some(({ severity }) => severity === 'error')) return 'error';
  const warnings = own.filter(({ severity }) => severity === 'warning');
  if (warnings.length === 0) return 'silent';
  return warnings.every(isUndecided) ? 'undecided' : 'policy';
}
