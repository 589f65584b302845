import { z } from 'zod';
import type { Finding } from '../report/finding.ts';

const entry = z.strictObject({
  file: z.string(),
  rule: z.string(),
  message: z.string(),
  /** How often; the places move with every change of a document. */
  count: z.int().min(1),
});

const baselineSchema = z.strictObject({ known: z.array(entry) });

/** Findings that a project knew of when it took the linter up, and has not fixed yet. */
export type Baseline = z.output<typeof baselineSchema>;

/** The baseline in a text, or null when the text is none. */
export function readBaseline(text: string): Baseline | null {
  try {
    return baselineSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** A baseline of these findings, as it is written to a file: sorted, so that changes can be read. */
export function printBaseline(findings: readonly Finding[]): string {
  const counts = new Map<string, Baseline['known'][number]>();
  for (const { file, rule, message } of findings) {
    const key = keyOf({ file, rule, message });
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { file, rule, message, count });
  }
  const known = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  return `${JSON.stringify({ known }, null, 2)}\n`;
}

export interface Compared {
  /** Those that are new. */
  readonly findings: readonly Finding[];
  /** How many are left out, and how many of the baseline are obsolete. */
  readonly known: number;
  readonly obsolete: number;
}

/**
 * Returns the findings that a baseline does not list. An entry that no finding uses is obsolete if
 * `isRead` says that the file it is about was read.
 */
export function withoutKnown(
  findings: readonly Finding[],
  { known }: Baseline,
  isRead: (entry: Baseline['known'][number]) => boolean,
): Compared {
  const left = new Map(known.map((each) => [keyOf(each), each.count]));
  const news = findings.filter((finding) => {
    const key = keyOf(finding);
    const count = left.get(key) ?? 0;
    left.set(key, Math.max(0, count - 1));
    return count === 0;
  });
  const obsolete = known.filter(isRead).reduce((sum, each) => sum + left.get(keyOf(each))!, 0);
  return { findings: news, known: findings.length - news.length, obsolete };
}

function keyOf({ file, rule, message }: Pick<Finding, 'file' | 'rule' | 'message'>): string {
  return JSON.stringify([file, rule, message]);
}
