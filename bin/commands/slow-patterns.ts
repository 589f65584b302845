import { describeDiagnostic } from '../../common/diagnostic.ts';
import type { LoadedDocument } from '../../generator/document.ts';
import { runRules } from '../../generator/lint/run-rules.ts';
import { activeRules } from '../../generator/lint/settings.ts';
import { warn } from './verb.ts';

const RULE = 'pattern-backtracking';

/**
 * Warns on standard error of patterns that lint finds too slow: generated validators run them with
 * the engine of JavaScript, where one short text may block the process.
 */
export function warnOfSlowPatterns({ model: { document }, locate }: LoadedDocument): void {
  const active = activeRules({}).filter(({ rule }) => rule.id === RULE);
  const found = runRules({ document, original: document, unresolved: [] }, active);
  for (const { pointer, ...finding } of found) {
    warn(`warning: ${describeDiagnostic({ ...finding, location: locate(pointer) })} (${RULE})`);
  }
}
