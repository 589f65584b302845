import type { Diagnostic } from '../../common/diagnostic.ts';
import { countSeverities } from '../report/report.ts';
import type { Change } from './change.ts';
import type { Diff } from './diff.ts';
import { sentenceOf, toDiagnostic, whereaboutsOf, type Documents } from './report.ts';

/** What `--format json` says of a comparison. */
export function toJson(diff: Diff, documents: Documents, notices: readonly Diagnostic[]) {
  const { version, strictness } = diff;
  const changes = diff.changes.map((change) => ({
    ...toDiagnostic(documents, change),
    message: sentenceOf(change),
    bump: change.bump,
    methods: change.methods,
    ...whereaboutsOf(documents, change),
    ...valuesOf(change),
    ...(change.approval === null ? {} : { approval: change.approval }),
  }));
  return {
    strictness,
    counts: countSeverities([...diff.changes, ...notices]),
    version: {
      old: version.old,
      new: version.new,
      required: version.required,
      lowest: version.lowest,
    },
    diagnostics: [...changes, ...notices],
  };
}

function valuesOf({ before, after, witness }: Change) {
  return {
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(witness === undefined ? {} : { witness }),
  };
}
