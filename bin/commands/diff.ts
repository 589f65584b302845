import { severities } from '../../common/diagnostic.ts';
import { Option, type Command } from 'commander';
import { renderChangelog } from '../../generator/diff/changelog.ts';
import { diffDocuments, type Diff } from '../../generator/diff/diff.ts';
import type { Strictness } from '../../generator/diff/kinds/kind.ts';
import {
  approvalDiagnostics,
  diffRules,
  describeVersion,
  toDiagnostic,
  toJson,
} from '../../generator/diff/report.ts';
import { failLevels, type Approval, type FailOn } from '../../generator/diff/settings.ts';
import { readApprovals } from '../../generator/diff/approvals.ts';
import { renderReport, reportFormats, type ReportFormat } from '../../generator/report/render.ts';
import manifest from '../../package.json' with { type: 'json' };
import {
  againstOption,
  createComparisonReader,
  dateOption,
  loadPair,
  newArgument,
  oldArgument,
  planComparisons,
  readProjectFile,
  today,
  type LoadedPair,
} from './compared-documents.ts';
import { allowRemoteOption, allowUnresolvedOption, configOption } from './document-arguments.ts';
import { listKinds } from './diff-list.ts';
import { createProgress } from './progress.ts';
import { reportOutputOption, writeText } from './report-output.ts';
import { exitCodes } from './verb.ts';

interface Options {
  readonly against?: string;
  readonly strictness?: Strictness;
  readonly failOn?: FailOn;
  readonly approved?: string;
  readonly allowUnresolved?: boolean;
  readonly allowRemote?: boolean;
  readonly config?: string;
  readonly date?: string;
  readonly list?: true;
  readonly format: ReportFormat | 'markdown';
  readonly output?: string;
}

/** `specgate diff`: what changed between two documents, and what it breaks. */
export function register(program: Command): void {
  program
    .command('diff')
    .summary('list the changes between two documents and what they break')
    .description(
      'Compares two OpenRPC documents: every change with its severity, where it is in both, and what\n' +
        'it asks of info.version. Exits with 1 when a change breaks (see --fail-on).',
    )
    .addArgument(oldArgument())
    .addArgument(newArgument())
    .addOption(againstOption())
    .addOption(
      new Option(
        '--strictness <what>',
        'wire, as is without it: what is sent and read stays good; source: generated code too',
      ).choices(['wire', 'source']),
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'the least that exits with 1; breaking without it',
      ).choices([...failLevels]),
    )
    .option('--approved <file>', 'file of approved changes, beside those of the project file')
    .addOption(allowRemoteOption())
    .addOption(allowUnresolvedOption())
    .addOption(configOption())
    .addOption(dateOption())
    .option('--list', 'list the kinds of changes, and compare nothing')
    .addOption(
      new Option('-f, --format <format>', 'output format')
        .choices([...reportFormats, 'markdown'])
        .default('text'),
    )
    .addOption(reportOutputOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate diff old.json new.json\n' +
        '  $ specgate diff main:openrpc.json openrpc.json --strictness source\n' +
        '  $ specgate diff --against origin/main --format github\n' +
        '  $ specgate diff --list',
    )
    .action(diff);
}

interface Compared {
  readonly pair: LoadedPair;
  readonly diff: Diff;
  readonly names: readonly [string, string];
}

async function diff(
  first: string | undefined,
  second: string | undefined,
  options: Options,
): Promise<void> {
  if (options.list) return writeText(listKinds(options.format), options.output);
  const project = await readProjectFile(options.config);
  const settings = project?.diff;
  const strictness = options.strictness ?? settings?.strictness ?? 'wire';
  const reader = createComparisonReader();
  const { allowUnresolved = false, allowRemote = false } = options;
  const approvals: readonly Approval[] = [
    ...(settings?.approved ?? []),
    ...(options.approved === undefined ? [] : readApprovals(await reader.read(options.approved))),
  ];
  const progress = createProgress();
  const compared: Compared[] = [];
  for (const each of planComparisons([first, second], options.against, project)) {
    const pair = await loadPair(each, {
      reader,
      allowUnresolved,
      allowRemote,
      onStep: progress.step,
    });
    progress.step(`${each.old} → ${each.new}`);
    const day = options.date ?? today();
    const diff = diffDocuments(pair, { strictness, approvals, today: day });
    compared.push({ pair, diff, names: [each.old, each.new] });
  }
  progress.end();
  const source = options.approved ?? project?.file ?? 'approved changes';
  const failOn = options.failOn ?? settings?.fail_on ?? 'breaking';
  const rendering = { options, strictness, source, failOn, texts: reader.texts };
  await writeText(render(compared, rendering), options.output);
  if (compared.some(({ diff }) => fails(diff, failOn))) process.exitCode = exitCodes.findings;
}

interface Rendering {
  readonly options: Options;
  readonly strictness: Strictness;
  /** The file that approvals stand in. */
  readonly source: string;
  readonly failOn: FailOn;
  /** Texts of the files that were read, by their names. */
  readonly texts: ReadonlyMap<string, string>;
}

function render(compared: readonly Compared[], rendering: Rendering): string {
  const { options, strictness, source, failOn, texts } = rendering;
  const { format } = options;
  if (format === 'markdown') {
    return compared
      .map(({ diff, pair }) => renderChangelog(diff, pair.new.model.info.title))
      .join('\n');
  }
  const notices = approvalDiagnostics(
    compared.map(({ diff }) => diff),
    source,
  );
  if (format === 'json') {
    const answers = compared.map(({ diff, pair, names }) => ({
      clean: !fails(diff, failOn),
      documents: names,
      ...toJson(diff, pair, notices),
    }));
    const answer = answers.length === 1 ? answers[0] : { comparisons: answers };
    return `${JSON.stringify(answer, null, 2)}\n`;
  }
  const changes = compared.flatMap(({ diff, pair }) =>
    diff.changes.map((change) => toDiagnostic(pair, change)),
  );
  const report = {
    verb: 'diff',
    version: manifest.version,
    files: compared.map(({ names }) => names[1]),
    rules: diffRules(strictness),
    diagnostics: [...changes, ...notices],
    texts,
    root: process.cwd(),
  };
  if (format !== 'text') return renderReport(report, format);
  const versions = compared.map(({ diff }) => `${describeVersion(diff)}\n`).join('');
  const changed = report.diagnostics.length === 0 ? 'no changes\n' : renderReport(report, 'text');
  return `${changed}${versions}`;
}

function fails({ changes, expired }: Diff, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  const lowest = failOn === 'breaking' ? 'error' : failOn;
  const counted = new Set(severities.slice(0, severities.indexOf(lowest) + 1));
  const isExpiredCounted = counted.has('warning') && expired.length > 0;
  return isExpiredCounted || changes.some(({ severity }) => counted.has(severity));
}
