import { escapeJson } from '../../common/escape/json.ts';
import { renderGithub } from './github.ts';
import { renderJunit } from './junit.ts';
import { countSeverities, type Report } from './report.ts';
import { renderSarif } from './sarif.ts';
import { countRules } from './summary.ts';
import { renderText } from './text.ts';

const renderers = {
  text: renderText,
  json: renderJson,
  junit: renderJunit,
  github: renderGithub,
  sarif: renderSarif,
} as const satisfies Record<string, (report: Report) => string>;

export type ReportFormat = keyof typeof renderers;

export const reportFormats = Object.keys(renderers) as readonly ReportFormat[];

/** Returns the report in a format: the whole text, with a final line break. */
export function renderReport(report: Report, format: ReportFormat): string {
  return renderers[format](report);
}

/** Renders a report for programs: `{clean, documents, counts, summary, diagnostics}`. */
function renderJson({ files, diagnostics }: Report): string {
  const clean = diagnostics.length === 0;
  const counts = countSeverities(diagnostics);
  const summary = countRules(diagnostics);
  const report = { clean, documents: files, counts, summary, diagnostics };
  return `${escapeJson(JSON.stringify(report, null, 2))}\n`;
}
