import type { Sample } from './measure.ts';
import type { Row } from './rows.ts';
import { spreadOf, type Spread } from './rounds.ts';

/** A row with a sample of every round. */
export interface MeasuredRow extends Row {
  readonly samples: readonly Sample[];
}

/** Divides round by round: what slows one round down slows both rows. */
export function ratioOf(row: MeasuredRow, to: MeasuredRow, figure: keyof Sample): Spread {
  return spreadOf(row.samples.map((sample, round) => sample[figure] / to.samples[round]![figure]));
}
