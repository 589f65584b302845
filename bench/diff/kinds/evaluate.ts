import { isUndecided } from '../../../generator/diff/classify.ts';
import { kinds } from '../../../generator/diff/kinds/index.ts';
import type { Kind } from '../../../generator/diff/kinds/kind.ts';
import type { CorpusDocument, PlainDocument } from '../corpus.ts';
import { diffOf } from '../document.ts';
import { createChance } from '../instances/instances.ts';
import { createDraw, type Draw } from '../mutation.ts';
import { breaksCallers } from './proof.ts';
import { graft, type Graft } from './graft.ts';
import { policy } from './policy.ts';
import { reduce } from './reduce.ts';
import { newKindTally, type KindTally } from './tally.ts';

interface KindOptions {
  readonly seed: number;
  /** Applications of each kind to each document, at most. */
  readonly rounds: number;
  readonly tries: number;
  /** Called with the first application of each kind to each document. */
  readonly sample?: (tally: KindTally, graft: Graft) => void;
}

/** Makes changes of every kind in documents, and checks what is reported about each. */
export async function evaluateKinds(
  corpus: readonly CorpusDocument[],
  { seed, rounds, tries, sample }: KindOptions,
): Promise<readonly KindTally[]> {
  const draw = createDraw(createChance(seed));
  const tallies: KindTally[] = [];
  for (const kind of kinds) {
    const tally = newKindTally(kind);
    tallies.push(tally);
    for (const each of corpus) {
      for (let round = 0; round < rounds; round += 1) {
        const applied = await applyKind(each, { tally, draw, tries, isDeep: round % 2 === 1 });
        if (round === 0 && applied !== null) sample?.(tally, applied);
      }
    }
  }
  return tallies;
}

interface Once {
  readonly tally: KindTally;
  readonly draw: Draw;
  readonly tries: number;
  readonly isDeep: boolean;
}

async function applyKind(
  { name, document }: CorpusDocument,
  { tally, draw, tries, isDeep }: Once,
): Promise<Graft | null> {
  const { kind } = tally;
  const part = partOf(document, draw);
  const changed = graft(kind, part, { draw, isDeep: isDeep && hasPlaceBelow(kind) });
  if (changed === null) return null;
  tally.applied += 1;
  const { changes } = await diffOf(changed.old, changed.new);
  const own = changes.find((change) => change.kind === kind.id);
  const breaks =
    changed.methods.length > 0 && breaksCallers(changed, { chance: draw.chance, tries });
  tally.provable += changed.methods.length > 0 ? 1 : 0;
  tally.breaksCallers += breaks ? 1 : 0;
  const others = changes.filter(({ kind }) => !kind.startsWith('version-'));
  const undecided = others.some(isUndecided);
  const outcome = own?.severity ?? (undecided ? 'undecided' : 'missed');
  tally.reported[outcome] += 1;
  const label = `${kind.id} in ${name}`;
  const severities = new Set(others.map(({ severity }) => severity));
  if (breaks && !severities.has('error') && policy[kind.id] === undefined)
    tally.failures.push(`${label}: breaks a call without an error`);
  if (outcome === 'missed')
    tally.failures.push(`${label}: not reported; ${others.map(({ kind }) => kind).join(', ')}`);
  const isHarmless = kind.levels.wire === 'info' && !kind.id.startsWith('version-');
  if (!breaks && isHarmless && severities.has('error'))
    tally.failures.push(
      `${label}: harmless, and an error; ${others.map(({ kind }) => kind).join(', ')}`,
    );
  return changed;
}

/** Methods of a document that are compared at a time; a large document takes long to load. */
const MAX_METHODS = 10;

/** A document with some of its methods, chosen at random. */
function partOf(document: PlainDocument, { chance }: Draw): PlainDocument {
  const names = document.methods.map(({ name }) => [chance(), name] as const);
  const chosen = names.toSorted(([a], [b]) => a - b).slice(0, MAX_METHODS);
  return reduce(document, new Set(chosen.map(([, name]) => name)));
}

/** Whether a change of a schema is of the same kind in a member of an object. */
function hasPlaceBelow({ id }: Kind): boolean {
  return /^(?:request|response)-/.test(id) && !/-became-|-unsatisfiable$/.test(id);
}
