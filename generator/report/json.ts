import { countLevels } from './finding.ts';
import type { Report } from './report.ts';

/** For programs: `{clean, documents, counts, findings}`. */
export function renderJson({ files, findings }: Report): string {
  const clean = findings.length === 0;
  const answer = { clean, documents: files, counts: countLevels(findings), findings };
  return `${JSON.stringify(answer, null, 2)}\n`;
}
