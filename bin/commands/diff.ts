import { Option, type Command } from 'commander';
import { DocumentError, severities, unusable, wholeFile } from '../../common/diagnostic.ts';
import { readApprovals } from '../../generator/diff/approvals.ts';
import { renderChangelog } from '../../generator/diff/changelog.ts';
import { isUndecidedKind } from '../../generator/diff/classify.ts';
import type { Diff } from '../../generator/diff/diff.ts';
import type { Strictness } from '../../generator/diff/kinds/kind.ts';
import { kindGroups, kinds } from '../../generator/diff/kinds/index.ts';
import { renderKindsPage } from '../../generator/diff/kinds/page.ts';
import {
  approvalDiagnostics,
  describeUndecided,
  describeVersion,
  diffRules,
  toDiagnostic,
  toJson,
} from '../../generator/diff/report.ts';
import { failLevels, unknownKind, type FailOn } from '../../generator/diff/settings.ts';
import type { Settings } from '../../generator/levels/levels.ts';
import { loadProject } from '../../generator/project/load.ts';
import { renderReport, reportFormats, type ReportFormat } from '../../generator/report/render.ts';
import type { ReportRule } from '../../generator/report/report.ts';
import manifest from '../../package.json' with { type: 'json' };
import {
  addCompareOptions,
  addDocuments,
  compareDocuments,
  createRecordingReader,
  type Compared,
  type CompareOptions,
} from './compare.ts';
import { formatOption, outputOption, ruleOption, withRules } from './options.ts';
import { counted, examples, exitCodes, toJsonText, writeText } from './verb.ts';

interface Options extends CompareOptions {
  readonly strictness?: Strictness;
  readonly failOn?: FailOn;
  readonly undecided?: 'error' | 'warning';
  readonly approved?: string;
  readonly rule?: Settings;
  readonly all?: true;
  readonly list?: true;
  readonly format: ReportFormat | 'markdown';
  readonly output?: string;
}

/** `specgate diff`: lists the changes between two documents and what they break. */
export function register(command: Command): void {
  addDocuments(command)
    .description(
      'Compares two OpenRPC documents. Lists every change with its severity and its location in both, and\n' +
        'the info.version that the changes require. Exits with 1 on a breaking change (see --fail-on).',
    )
    .addOption(
      new Option(
        '--strictness <mode>',
        'what counts as breaking: changes on the wire (default), or also changes to generated code',
      ).choices(['wire', 'source']),
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit with 1 on changes of this severity or higher (default: breaking)',
      ).choices(failLevels),
    )
    .addOption(
      new Option(
        '--undecided <severity>',
        'severity of undecided comparisons (default: warning)',
      ).choices(['error', 'warning']),
    )
    .addOption(ruleOption('kind of change'))
    .option('--all', 'also list documentation changes, which the text format only counts')
    .option('--approved <file>', 'file of approved changes, in addition to the project file');
  addCompareOptions(command, 'sunset dates and approvals')
    .option('--list', 'list the kinds of changes and exit')
    .addOption(formatOption([...reportFormats, 'markdown']))
    .addOption(outputOption)
    .addHelpText(
      'after',
      examples(
        'diff old.json new.json',
        'diff main:openrpc.json openrpc.json --strictness source',
        'diff --against origin/main --format github',
        'diff --list',
      ),
    )
    .action(diff);
}

async function diff(
  first: string | undefined,
  second: string | undefined,
  options: Options,
): Promise<void> {
  const { format, output, approved } = options;
  if (options.list) return writeText(listKinds(format), output);
  const project = await loadProject(options.config);
  const strictness = options.strictness ?? project?.diff.strictness ?? 'wire';
  const undecided = options.undecided ?? project?.diff.undecided ?? 'warning';
  const failOn = options.failOn ?? project?.diff.fail_on ?? 'breaking';
  const reader = createRecordingReader();
  const approvals = [
    ...(project?.diff.approved ?? []),
    ...(approved === undefined ? [] : readApprovals(await reader.read(approved))),
  ];
  const levels = withRules(project?.diff ?? {}, rulesOf(options));
  const settings = { project, reader, strictness, approvals, undecided, levels };
  const compared = await compareDocuments([first, second], options, settings);
  const source = approved ?? project?.file ?? 'approved changes';
  const { texts } = reader;
  const rules = diffRules({ strictness, undecided, levels });
  const how = { format, rules, source, failOn, texts, isAll: options.all === true };
  await writeText(render(compared, how), output);
  const failsOnUndecided = undecided === 'error' && failOn !== 'never';
  const hasUndecided =
    failsOnUndecided && compared.some(({ notCompared }) => notCompared.length > 0);
  if (hasUndecided || compared.some(({ diff }) => fails(diff, failOn))) {
    process.exitCode = exitCodes.findings;
  }
}

/**
 * Returns the levels of the command line, which override those of the project file.
 *
 * @throws DocumentError for an unknown kind; it suggests the most similar one
 */
function rulesOf({ rule = {}, undecided }: Options): Settings {
  for (const id of Object.keys(rule)) {
    if (kinds.some((kind) => kind.id === id)) continue;
    throw new DocumentError([unusable(wholeFile('--rule'), unknownKind(id))]);
  }
  const own = undecided === undefined ? [] : kinds.map(({ id }) => id).filter(isUndecidedKind);
  return { ...Object.fromEntries(own.map((id) => [id, undecided!])), ...rule };
}

function render(
  compared: readonly Compared[],
  how: {
    readonly format: Options['format'];
    readonly rules: readonly ReportRule[];
    /** The file of the approvals. */
    readonly source: string;
    readonly failOn: FailOn;
    readonly texts: ReadonlyMap<string, string>;
    /** Whether the text format also lists documentation changes. */
    readonly isAll: boolean;
  },
): string {
  const { format, rules, source, failOn, texts, isAll } = how;
  const diffs = compared.map(({ diff }) => diff);
  if (format === 'markdown') {
    return compared
      .map(({ diff, pair }) => renderChangelog(diff, pair.new.model.info.title))
      .join('\n');
  }
  const notices = approvalDiagnostics(diffs, source);
  if (format === 'json') {
    const results = compared.map(({ diff, pair, names }) => ({
      clean: !fails(diff, failOn),
      documents: names,
      ...toJson(diff, pair, notices),
    }));
    return toJsonText(results.length === 1 ? results[0] : { comparisons: results });
  }
  const isHidden = ({ row, severity }: Diff['changes'][number]) =>
    format === 'text' && !isAll && severity === 'info' && row.section === 'documentation';
  const changes = compared.flatMap(({ diff, pair }) =>
    diff.changes.filter((each) => !isHidden(each)).map((change) => toDiagnostic(pair, change)),
  );
  const report = {
    verb: 'diff',
    version: manifest.version,
    files: compared.map(({ names }) => names[1]),
    rules,
    diagnostics: [...changes, ...notices],
    texts,
    root: process.cwd(),
  };
  if (format !== 'text') return renderReport(report, format);
  const hidden = diffs.flatMap((each) => each.changes.filter(isHidden)).length;
  const changed = report.diagnostics.length > 0 ? renderReport(report, 'text') : '';
  const notes = [
    hidden === 0
      ? ''
      : `${counted(hidden, 'documentation change')} not listed; use --all to list them`,
    ...diffs.flatMap((each) => [describeUndecided(each), describeVersion(each)]),
  ];
  const lines = notes.filter((each) => each !== '').map((each) => `${each}\n`);
  return `${changed === '' && hidden === 0 ? 'no changes\n' : changed}${lines.join('')}`;
}

function fails({ changes, expired }: Diff, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  const lowest = failOn === 'breaking' ? 'error' : failOn;
  const failing = new Set(severities.slice(0, severities.indexOf(lowest) + 1));
  const hasExpired = failing.has('warning') && expired.length > 0;
  return hasExpired || changes.some(({ severity }) => failing.has(severity));
}

/** Lists the kinds of changes: a table, JSON, or a Markdown page. */
function listKinds(format: Options['format']): string {
  if (format === 'json') return toJsonText(kinds);
  if (format === 'markdown') return renderKindsPage();
  const width = Math.max(...kinds.map(({ id }) => id.length));
  const groups = kindGroups.flatMap(({ title, kinds: rows }) => [
    title,
    ...rows.map(
      ({ id, levels, bump, title: meaning }) =>
        `  ${id.padEnd(width)}  ${levels.wire.padEnd(7)}  ${levels.source.padEnd(7)}  ${bump.padEnd(5)}  ${meaning}`,
    ),
  ]);
  const head = `  ${'kind'.padEnd(width)}  wire     source   bump   meaning`;
  return [head, ...groups, `${kinds.length} kinds of changes`, ''].join('\n');
}
