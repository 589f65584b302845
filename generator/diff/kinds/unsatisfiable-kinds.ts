import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, WARNS, type Fragment, type Impact } from './kind.ts';

const text = (maxLength: number, type: Json = 'string'): Json => ({
  type,
  minLength: 2,
  maxLength,
});

const FIX = 'remove one of the contradicting keywords';
const MIGRATION = 'ask for a corrected document';

interface Texts {
  readonly noun: string;
  readonly wrap: (schema: Json) => Fragment;
  readonly lost: string;
  readonly gained: string;
  readonly gainedImpact: Impact;
  readonly gainedMigration: string;
}

function kindsOf<Direction extends 'request' | 'response'>(
  direction: Direction,
  { noun, wrap, lost, gained, gainedImpact, gainedMigration }: Texts,
) {
  const became = `${direction}-schema-became-unsatisfiable` as const;
  const restored = `${direction}-schema-became-satisfiable` as const;
  return [
    kind(became, BREAKS, {
      title: `a schema in ${noun} no longer allows any value`,
      why: lost,
      fix: FIX,
      migration: MIGRATION,
      example: [wrap(text(4)), wrap(text(1))],
      reverse: restored,
    }),
    kind(restored, gainedImpact, {
      title: `a schema in ${noun} that allowed no value now allows some`,
      why: `${gained} The changed keywords are compared one by one.`,
      fix: 'compare the two by hand; changed keywords are reported separately',
      migration: gainedMigration,
      example: [wrap(text(1)), wrap(text(4))],
      reverse: became,
    }),
    kind(`${direction}-schema-unsatisfiable`, WARNS, {
      title: `a changed schema in ${noun} does not allow any value`,
      why: 'It allowed no value before, or the schemas around it allow values without it. Its values cannot be compared, so its keywords are compared one by one.',
      fix: FIX,
      migration: MIGRATION,
      example: [wrap(text(1)), wrap(text(1, ['string']))],
    }),
  ];
}

/** Kinds of changes of schemas whose keywords contradict each other. */
export const unsatisfiableKinds = [
  ...kindsOf('request', {
    noun: 'a parameter',
    wrap: (param) => ({ param }),
    lost: 'Every value that was allowed is rejected, for example because additionalProperties rejects a required member.',
    gained: 'No call was valid before.',
    gainedImpact: ADDS,
    gainedMigration: 'send only what is allowed now',
  }),
  ...kindsOf('response', {
    noun: 'a result',
    wrap: (result) => ({ result }),
    lost: 'No returned value follows the document: validators generated from it reject every value.',
    gained: 'No returned value followed the document.',
    gainedImpact: WARNS,
    gainedMigration: 'handle the new values, and update validators',
  }),
];
