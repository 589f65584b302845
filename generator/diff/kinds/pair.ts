import { kind, type Fragment, type Impact, type Kind } from './kind.ts';

export interface KindHalf {
  readonly id: string;
  readonly title: string;
  readonly impact: Impact;
  readonly why: string;
  readonly fix: string;
}

/** Two kinds, each what the other is when the documents change places. */
export function pair(
  worse: KindHalf,
  better: KindHalf,
  example: readonly [good: Fragment, bad: Fragment],
): Kind[] {
  const section = 'changed';
  const [good, bad] = example;
  const { id: worseId, ...worseText } = worse;
  const { id: betterId, ...betterText } = better;
  return [
    kind(worseId, { ...worseText, section, example: [good, bad], reverse: betterId }),
    kind(betterId, { ...betterText, section, example: [bad, good], reverse: worseId }),
  ];
}
