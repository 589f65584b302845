import type { Diagnostic } from '../../common/diagnostic.ts';
import { z } from 'zod';

const entry = z.strictObject({
  file: z.string(),
  rule: z.string(),
  message: z.string(),
  /** Occurrences; the places move with every change of a document. */
  count: z.int().min(1),
});

const baselineSchema = z.strictObject({ known: z.array(entry) });

/** Known findings that a project has not fixed yet. */
type Entry = z.output<typeof entry>;
export type Baseline = z.output<typeof baselineSchema>;

/** Parses a baseline; null when the text is not one. */
export function readBaseline(text: string): Baseline | null {
  try {
    return baselineSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Prints a baseline of these findings, sorted so that its diffs are readable. */
export function printBaseline(diagnostics: readonly Diagnostic[]): string {
  const counts = new Map<string, Entry>();
  for (const { location, code: rule, message } of diagnostics) {
    const { file } = location;
    const key = keyOf({ file, rule, message });
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { file, rule, message, count });
  }
  const known = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  return `${JSON.stringify({ known }, null, 2)}\n`;
}

export interface Compared {
  /** Those that are new. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many are left out, and how many of the baseline are obsolete. */
  readonly known: number;
  readonly obsolete: number;
}

/**
 * Returns the findings that a baseline does not list. An entry that no finding uses is obsolete if
 * `isRead` says that the file it is about was read.
 */
export function withoutKnown(
  diagnostics: readonly Diagnostic[],
  { known }: Baseline,
  isRead: (entry: Entry) => boolean,
): Compared {
  const left = new Map(known.map((each) => [keyOf(each), each.count]));
  const news = diagnostics.filter(({ location, code: rule, message }) => {
    const key = keyOf({ file: location.file, rule, message });
    const count = left.get(key) ?? 0;
    left.set(key, Math.max(0, count - 1));
    return count === 0;
  });
  const obsolete = known.filter(isRead).reduce((sum, each) => sum + left.get(keyOf(each))!, 0);
  return { diagnostics: news, known: diagnostics.length - news.length, obsolete };
}

function keyOf({ file, rule, message }: Omit<Entry, 'count'>): string {
  return JSON.stringify([file, rule, message]);
}
