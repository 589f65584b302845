import { countLevels, type Finding } from '../report/finding.ts';
import type { Change } from './change.ts';
import type { Diff } from './diff.ts';
import { sentenceOf, whereaboutsOf, type Documents } from './report.ts';

/** What `--format json` says of a comparison. */
export function toJson(diff: Diff, documents: Documents, notices: readonly Finding[]) {
  const { version, strictness } = diff;
  const findings = diff.changes.map((change) => ({
    rule: change.row.id,
    level: change.level,
    bump: change.bump,
    message: sentenceOf(change),
    ...(change.level === 'info' ? {} : { fix: change.row.fix }),
    methods: change.methods,
    ...whereaboutsOf(documents, change),
    ...valuesOf(change),
    ...(change.approval === null ? {} : { approval: change.approval }),
  }));
  return {
    strictness,
    counts: countLevels([...diff.changes, ...notices]),
    version: {
      old: version.old,
      new: version.new,
      required: version.required,
      lowest: version.lowest,
    },
    findings: [...findings, ...notices],
  };
}

function valuesOf({ before, after, witness }: Change) {
  return {
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(witness === undefined ? {} : { witness }),
  };
}
