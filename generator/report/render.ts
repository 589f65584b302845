import { renderGithub } from './github.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import type { Report } from './report.ts';
import { renderSarif } from './sarif.ts';
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

/** The report in a format: the whole text, its last line ended. */
export function renderReport(report: Report, format: ReportFormat): string {
  return renderers[format](report);
}
