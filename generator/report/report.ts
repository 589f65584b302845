import type { Finding, Level } from './finding.ts';

/** A rule as reports tell of it. */
export interface ReportRule {
  readonly id: string;
  /** What holds where the rule finds nothing, in a few words. */
  readonly title: string;
  readonly level: Level;
  /** Why, and how to fix what it finds; CommonMark. */
  readonly help: string;
  /** Absolute URL of where the rule comes from, where it comes from somewhere. */
  readonly helpUri?: string;
}

/** What a verb found, ready to be told in any format. */
export interface Report {
  /** The verb: "lint", "diff". */
  readonly verb: string;
  /** Version of the package. */
  readonly version: string;
  /** The documents that were looked at, as the user called them. */
  readonly files: readonly string[];
  /** Every rule that was applied, those without a finding too. */
  readonly rules: readonly ReportRule[];
  /** As `sortFindings` puts them. */
  readonly findings: readonly Finding[];
  /** Text of the files, as far as known, by their names: for the lines a finding is about. */
  readonly texts: ReadonlyMap<string, string>;
  /** Absolute path of the folder that file names are relative to. */
  readonly root: string;
}
