import { posix } from 'node:path';
import { severities, type Diagnostic, type Severity } from '../../common/diagnostic.ts';

/** A rule as reports show it. */
export interface ReportRule {
  readonly id: string;
  /** What the rule requires, in a few words. */
  readonly title: string;
  readonly severity: Severity;
  /** Why, and how to fix what it finds; CommonMark. */
  readonly help: string;
  /** Absolute URL of the clause the rule enforces, if there is one. */
  readonly helpUri?: string;
}

/** The diagnostics of a verb, ready to be rendered in any format. */
export interface Report {
  /** The verb: "lint", "diff". */
  readonly verb: string;
  /** Version of the package. */
  readonly version: string;
  /** The documents that were examined, as the user named them. */
  readonly files: readonly string[];
  /** Every rule that was applied, including those without a diagnostic. */
  readonly rules: readonly ReportRule[];
  /** In the order of `sortDiagnostics`. */
  readonly diagnostics: readonly Diagnostic[];
  /** The texts of the files that were read, by name, for code frames. */
  readonly texts: ReadonlyMap<string, string>;
  /** Absolute path of the folder that file names are relative to. */
  readonly root: string;
  /** Whether the text format lists the places of equivalent diagnostics instead of showing each. */
  readonly isGrouped?: boolean;
}

/** Returns the diagnostics of each file from top to bottom; files keep their order. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(diagnostics.map(({ location }) => location.file))];
  const order = new Map(files.map((file, index) => [file, index]));
  return diagnostics.toSorted(
    (a, b) =>
      order.get(a.location.file)! - order.get(b.location.file)! ||
      (a.location.line ?? 0) - (b.location.line ?? 0) ||
      (a.location.column ?? 0) - (b.location.column ?? 0) ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity),
  );
}

type Counts = Readonly<Record<Severity, number>>;

export function countSeverities(diagnostics: readonly Pick<Diagnostic, 'severity'>[]): Counts {
  const count = (severity: Severity) =>
    diagnostics.filter((each) => each.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}

/**
 * Returns the diagnostics of each document, including clean ones, and of each file that documents refer
 * to.
 */
export function diagnosticsByFile({
  files,
  diagnostics,
}: Pick<Report, 'files' | 'diagnostics'>): ReadonlyMap<string, readonly Diagnostic[]> {
  const byFile = new Map<string, Diagnostic[]>(files.map((file) => [file, []]));
  for (const diagnostic of diagnostics) {
    const { file } = diagnostic.location;
    byFile.set(file, [...(byFile.get(file) ?? []), diagnostic]);
  }
  return byFile;
}

/** Returns `file` relative to `root`, with slashes, if it is below it; otherwise an absolute path. */
export function toRelative(file: string, root: string): string {
  const path = file.replaceAll('\\', '/');
  const folder = `${root.replaceAll('\\', '/').replace(/\/$/, '')}/`;
  const full = path.startsWith('../') ? posix.normalize(folder + path) : path;
  return (full.startsWith(folder) ? full.slice(folder.length) : full).replace(/^(?:\.\/)+/, '');
}
