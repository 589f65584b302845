import type { Diagnostic } from '../../common/diagnostic.ts';
import { z } from 'zod';

const entry = z.strictObject({
  file: z.string(),
  rule: z.string(),
  message: z.string(),
  /** Number of occurrences; their places change with every edit. */
  count: z.int().min(1),
});

const baselineSchema = z.strictObject({ known: z.array(entry) });

/** Known findings that a project has not fixed yet. */
type Entry = z.output<typeof entry>;
export type Baseline = z.output<typeof baselineSchema>;

/** Parses a baseline; returns null if it is invalid. */
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
  for (const diagnostic of diagnostics) {
    const { file, rule, message } = describe(diagnostic);
    const key = keyOf({ file, rule, message });
    const count = (counts.get(key)?.count ?? 0) + 1;
    counts.set(key, { file, rule, message, count });
  }
  const known = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  return `${JSON.stringify({ known }, null, 2)}\n`;
}

interface Compared {
  /** The new diagnostics. */
  readonly diagnostics: readonly Diagnostic[];
  /** The numbers of omitted diagnostics and of obsolete entries. */
  readonly known: number;
  readonly obsolete: number;
}

/**
 * Returns the findings that a baseline does not list. An unused entry is obsolete if its file was read
 * (`isRead`).
 */
export function withoutKnown(
  diagnostics: readonly Diagnostic[],
  { known }: Baseline,
  isRead: (entry: Entry) => boolean,
): Compared {
  const left = new Map(known.map((each) => [keyOf(each), each.count]));
  const news = diagnostics.filter((diagnostic) => {
    const key = keyOf(describe(diagnostic));
    const count = left.get(key) ?? 0;
    left.set(key, Math.max(0, count - 1));
    return count === 0;
  });
  const obsolete = known.filter(isRead).reduce((sum, each) => sum + left.get(keyOf(each))!, 0);
  return { diagnostics: news, known: diagnostics.length - news.length, obsolete };
}

/** Returns what identifies a finding. One in a shared part does not depend on the methods that use it. */
function describe({ location, code, message, methods = [] }: Diagnostic): Omit<Entry, 'count'> {
  const text = methods.reduce((all, name) => all.replaceAll(`"${name}"`, '"*"'), message);
  return { file: location.file, rule: code, message: text };
}

function keyOf({ file, rule, message }: Omit<Entry, 'count'>): string {
  return JSON.stringify([file, rule, message]);
}
