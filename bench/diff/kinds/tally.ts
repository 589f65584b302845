import type { Severity } from '../../../common/diagnostic.ts';
import type { Kind } from '../../../generator/diff/kinds/kind.ts';

/** The outcomes of the changes of one kind. */
export interface KindTally {
  readonly kind: Kind;
  applied: number;
  /** Changes for which a call or a value proves that a caller breaks. */
  breaksCallers: number;
  /** Changes that could be proven: those of methods, and not of the document as a whole. */
  provable: number;
  /** Programs that no longer compile, of those that were compiled. */
  breaksCode: number;
  compiled: number;
  /** How the kind was reported; "missed" if it was not. */
  readonly reported: Record<Severity | 'undecided' | 'missed', number>;
  readonly failures: string[];
}

export function newKindTally(kind: Kind): KindTally {
  return {
    kind,
    applied: 0,
    breaksCallers: 0,
    provable: 0,
    breaksCode: 0,
    compiled: 0,
    reported: { error: 0, warning: 0, info: 0, undecided: 0, missed: 0 },
    failures: [],
  };
}
