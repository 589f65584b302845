import type { Diagnostic } from '../../common/diagnostic.ts';

/**
 * A diagnostic, and those of the same rule and file that differ from it only in quoted texts and numbers.
 */
export interface SameDiagnostics {
  readonly first: Diagnostic;
  readonly more: readonly Diagnostic[];
}

/** Joins diagnostics that differ only in quoted texts and numbers, at the place of the first one. */
export function groupSame(diagnostics: readonly Diagnostic[]): readonly SameDiagnostics[] {
  const groups = Map.groupBy(diagnostics, ({ code, severity, message, location }) =>
    JSON.stringify([location.file, code, severity, message.replaceAll(VALUE, '""')]),
  );
  return [...groups.values()].map(([first, ...more]) => ({ first: first!, more }));
}

const VALUE = /"(?:[^"\\]|\\.)*"?|-?\d[\d.]*/g;
