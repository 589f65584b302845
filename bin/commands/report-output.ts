import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { renderReport, reportFormats, type ReportFormat } from '../../generator/report/render.ts';
import type { Report } from '../../generator/report/report.ts';

/** Where and how a report goes. */
export interface ReportOptions {
  readonly format: ReportFormat;
  readonly output?: string;
}

/** The output format of a verb that reports diagnostics. */
export function reportFormatOption(): Option {
  return new Option('-f, --format <format>', 'output format')
    .choices([...reportFormats])
    .default('text');
}

/** Where a verb that reports findings writes them. */
export function reportOutputOption(): Option {
  return new Option('--output <file>', 'write the report to a file instead of standard output');
}

/** Writes the report in the format and to the place that were asked for. */
export async function writeReport(
  report: Report,
  { format, output }: ReportOptions,
): Promise<void> {
  await writeText(renderReport(report, format), output);
}

/** Writes a text to a file or, where none is named, to standard output. */
export async function writeText(text: string, output: string | undefined): Promise<void> {
  if (output === undefined) process.stdout.write(text);
  else await writeFile(output, text);
}
