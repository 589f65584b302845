import type { Command } from 'commander';
import { shellArgument } from '../../common/escape/shell.ts';
import { visible } from '../../common/escape/text.ts';
import type { Diagnostic } from '../../common/diagnostic.ts';
import { readFolder } from '../../generator/files/folder.ts';
import { compareFiles, isClean, type Drift } from '../../generator/output/update.ts';
import { renderReport } from '../../generator/report/render.ts';
import manifest from '../../package.json' with { type: 'json' };
import { planJobs, renderJob, type Job, type JobOptions } from './jobs.ts';
import {
  allowRemoteOption,
  lenientOption,
  configOption,
  outOption,
  packageNameOption,
  outputOption,
  reportFormatOption,
  specArgument,
  targetOption,
  type ReportOptions,
  resolveOption,
} from './options.ts';
import { examples, exitCodes, reportBrokenParts, toJsonText, writeText } from './verb.ts';

type Options = JobOptions & ReportOptions;

interface Checked extends Drift {
  readonly document: string;
  readonly out: string;
  readonly clean: boolean;
  /** Number of expected files. */
  readonly files: number;
}

/** The kinds of drift, as rules of a report. */
const KINDS = {
  stale: ['Generated files are up to date', 'differs from what generate would write'],
  missing: ['Every generated file exists', 'is missing'],
  orphaned: ['No file is left over from an earlier run', 'is not written by any target'],
} as const satisfies Record<keyof Drift, readonly [title: string, message: string]>;

const kinds = Object.keys(KINDS) as (keyof Drift)[];

/** `specgate check`: checks that folders contain what `generate` would write. */
export function register(command: Command): void {
  command
    .description(
      'Compares generated files, byte for byte, with what generate would write now. Lists each file\n' +
        'that is stale, missing or orphaned, and exits with 1 if there are any.\n' +
        'Without SPEC: every document listed in the project file.',
    )
    .argument(...specArgument('openrpc.json, or the documents listed in the project file'))
    .addOption(outOption)
    .addOption(targetOption('check only these targets'))
    .addOption(configOption)
    .addOption(packageNameOption)
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addOption(lenientOption)
    .addOption(reportFormatOption)
    .addOption(outputOption)
    .addHelpText(
      'after',
      examples('check', 'check openrpc.json --out generated --target types client'),
    )
    .action((spec: string | undefined, options: Options) =>
      reportBrokenParts(() => check(spec, options)),
    );
}

async function check(spec: string | undefined, options: Options): Promise<void> {
  const checked: Checked[] = [];
  for (const job of await planJobs(spec, options)) {
    // A site is built where it is published, and not committed.
    if (job.site === null) checked.push(await checkJob(job));
  }
  await writeText(render(checked, options), options.output);
  if (!checked.every(({ clean }) => clean)) process.exitCode = exitCodes.findings;
}

async function checkJob(job: Job): Promise<Checked> {
  const { document, out, isWhole } = job;
  const files = await renderJob(job);
  const found = compareFiles(files, await readFolder(out));
  const drift = isWhole ? found : { ...found, orphaned: [] };
  return { document, out, clean: isClean(drift), files: files.size, ...drift };
}

function render(checked: readonly Checked[], options: Options): string {
  const { format } = options;
  if (format === 'text' && checked.length === 0) {
    return 'nothing to check: no code is generated from the documents of the project file\n';
  }
  if (format === 'text') return checked.map((each) => `${describe(each, options)}\n`).join('');
  if (format === 'json') {
    const clean = checked.every((each) => each.clean);
    return toJsonText(checked.length === 1 ? checked[0] : { clean, documents: checked });
  }
  const report = {
    verb: 'check',
    version: manifest.version,
    files: checked.map(({ document }) => document),
    rules: kinds.map((kind) => ({
      id: `generated-${kind}`,
      title: KINDS[kind][0],
      severity: 'error' as const,
      help: 'Generated files are written by `specgate generate`, and committed with the document.',
    })),
    diagnostics: checked.flatMap(diagnosticsOf),
    texts: new Map<string, string>(),
    root: process.cwd(),
  };
  return renderReport(report, format);
}

function diagnosticsOf(checked: Checked): readonly Diagnostic[] {
  const { out } = checked;
  return kinds.flatMap((kind) =>
    checked[kind].map((path): Diagnostic => ({
      code: `generated-${kind}`,
      severity: 'error',
      message: `${path} ${KINDS[kind][1]}`,
      fix: `run ${generateCommand(checked)}`,
      location: { file: `${out}/${path}`, line: 1, column: 1, pointer: null },
    })),
  );
}

function describe(checked: Checked, { target = [], lenient = false }: Options): string {
  const { document, out, clean, files } = checked;
  if (clean) return visible(`${files} files in ${out} match ${document}`);
  const chosen = `${target.length === 0 ? '' : ` --target ${target.join(' ')}`}${lenient ? ' --lenient' : ''}`;
  return [
    ...kinds.flatMap((kind) => checked[kind].map((path) => `${kind.padEnd(10)}${out}/${path}`)),
    `fix with: ${generateCommand(checked)}${chosen}`,
  ]
    .map(visible)
    .join('\n');
}

/** Returns the command that writes the files; its paths may come from someone else's project file. */
function generateCommand({ document, out }: Checked): string {
  return `specgate generate ${shellArgument(document)} --out ${shellArgument(out)}`;
}
