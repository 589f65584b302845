import type { Command } from 'commander';
import { renderReport, type ReportFormat } from '../../generator/report/render.ts';
import manifest from '../../package.json' with { type: 'json' };
import { readFolder } from '../../generator/files/folder.ts';
import { compareFiles, isClean, type Drift } from '../../generator/output/update.ts';
import {
  allowRemoteOption,
  allowUnresolvedOption,
  configOption,
  outOption,
  specArgument,
  targetOption,
} from './document-arguments.ts';
import { planJobs, type Job, type JobOptions } from './jobs.ts';
import { driftDiagnostics, driftRules } from './drift-report.ts';
import { renderJob } from './render-job.ts';
import {
  reportFormatOption,
  reportOutputOption,
  writeText,
  type ReportOptions,
} from './report-output.ts';
import { exitCodes } from './verb.ts';

type Options = JobOptions & ReportOptions;

/** The result of a job. */
export interface Checked extends Drift {
  readonly document: string;
  readonly out: string;
  readonly clean: boolean;
  /** How many files there should be. */
  readonly files: number;
}

/** `specgate check`: checks that folders hold what `generate` would write. */
export function register(program: Command): void {
  program
    .command('check')
    .summary('check that generated files are up to date')
    .description(
      'Compares generated files with what would be generated now, byte for byte. Exits with 1 and\n' +
        'names each file that is stale, missing or orphaned.\n' +
        'Without SPEC: every document of the project file.',
    )
    .addArgument(specArgument('openrpc.json, or what the project file lists'))
    .addOption(outOption())
    .addOption(targetOption('check only these targets'))
    .addOption(configOption())
    .addOption(allowRemoteOption())
    .addOption(allowUnresolvedOption())
    .addOption(reportFormatOption())
    .addOption(reportOutputOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate check\n' +
        '  $ specgate check openrpc.json --out generated --target types client',
    )
    .action(check);
}

async function check(
  spec: string | undefined,
  { format, output, ...options }: Options,
): Promise<void> {
  const checked: Checked[] = [];
  for (const job of await planJobs(spec, options)) {
    // A site is built where it is published, and not committed.
    if (job.site === null) checked.push(await checkJob(job));
  }
  await writeText(render(checked, format, options.target), output);
  if (!checked.every(({ clean }) => clean)) process.exitCode = exitCodes.findings;
}

function render(
  checked: readonly Checked[],
  format: ReportFormat,
  target: readonly string[] | undefined,
): string {
  if (format === 'text') return checked.map((each) => `${describe(each, target)}\n`).join('');
  if (format === 'json') {
    const clean = checked.every((each) => each.clean);
    const answer = checked.length === 1 ? checked[0] : { clean, documents: checked };
    return `${JSON.stringify(answer, null, 2)}\n`;
  }
  const report = {
    verb: 'check',
    version: manifest.version,
    files: checked.map(({ document }) => document),
    rules: driftRules,
    diagnostics: checked.flatMap(driftDiagnostics),
    texts: new Map<string, string>(),
    root: process.cwd(),
  };
  return renderReport(report, format);
}

async function checkJob(job: Job): Promise<Checked> {
  const { document, out, isWhole } = job;
  const files = await renderJob(job);
  const found = compareFiles(files, await readFolder(out));
  const drift = isWhole ? found : { ...found, orphaned: [] };
  return { document, out, clean: isClean(drift), files: files.size, ...drift };
}

function describe(
  { document, out, clean, files, stale, missing, orphaned }: Checked,
  target: readonly string[] = [],
): string {
  if (clean) return `${files} files in ${out} fit ${document}`;
  const chosen = target.length === 0 ? '' : ` --target ${target.join(' ')}`;
  return [
    ...stale.map((path) => `stale     ${out}/${path}`),
    ...missing.map((path) => `missing   ${out}/${path}`),
    ...orphaned.map((path) => `orphaned  ${out}/${path}`),
    `fix with: specgate generate ${document} --out ${out}${chosen}`,
  ].join('\n');
}
