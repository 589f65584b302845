import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, WARNS, type Impact, type Kind } from './kind.ts';

const text = (maxLength: number, type: Json = 'string'): Json => ({
  type,
  minLength: 2,
  maxLength,
});

const FIXES = 'remove one of the keywords that contradict one another';

interface Words {
  readonly direction: 'request' | 'response';
  readonly noun: string;
  /** Why a schema that allows nothing any more is as grave as it is. */
  readonly lost: string;
  readonly unchanged: string;
  readonly gained: string;
  readonly gainedImpact: Impact;
}

function kindsOf(words: Words): readonly Kind[] {
  const { direction, noun, lost, unchanged, gained, gainedImpact } = words;
  const member = direction === 'request' ? 'param' : 'result';
  const wrap = (schema: Json) => ({ [member]: schema }) as { param: Json };
  const section = 'changed' as const;
  return [
    kind(`${direction}-schema-became-unsatisfiable`, {
      title: `a schema in ${noun} allows no value at all any more`,
      impact: BREAKS,
      section,
      why: lost,
      fix: FIXES,
      example: [wrap(text(4)), wrap(text(1))],
      reverse: `${direction}-schema-became-satisfiable`,
    }),
    kind(`${direction}-schema-became-satisfiable`, {
      title: `a schema in ${noun} that allowed no value at all allows some`,
      impact: gainedImpact,
      section,
      why: gained,
      fix: 'compare the two by hand; keywords that changed are reported beside this',
      example: [wrap(text(1)), wrap(text(4))],
      reverse: `${direction}-schema-became-unsatisfiable`,
    }),
    kind(`${direction}-schema-unsatisfiable`, {
      title: `a schema in ${noun} that changed allows no value at all`,
      impact: WARNS,
      section,
      why: unchanged,
      fix: FIXES,
      example: [wrap(text(1)), wrap(text(1, ['string']))],
      reverse: `${direction}-schema-unsatisfiable`,
    }),
  ];
}

const UNCHANGED =
  'It allowed none before, or the schemas around it allow values without it. Its values cannot be compared; its keywords are, one by one.';

/** Kinds of changes of schemas whose keywords contradict one another. */
export const unsatisfiableKinds: readonly Kind[] = [
  ...kindsOf({
    direction: 'request',
    noun: 'a parameter',
    lost: 'Every value that was allowed is refused: for instance, a member is required that additionalProperties refuses.',
    unchanged: UNCHANGED,
    gained: 'No call was valid before. Keywords that were changed are compared one by one.',
    gainedImpact: ADDS,
  }),
  ...kindsOf({
    direction: 'response',
    noun: 'a result',
    lost: 'No value that is returned follows the document: validators made from it refuse all of them.',
    unchanged: UNCHANGED,
    gained:
      'No value that was returned followed the document. Keywords that were changed are compared one by one.',
    gainedImpact: WARNS,
  }),
];
