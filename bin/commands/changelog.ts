import { Option, type Command } from 'commander';
import { renderChangelog, toSections } from '../../generator/diff/changelog.ts';
import { diffDocuments, type Diff } from '../../generator/diff/diff.ts';
import type { Strictness } from '../../generator/diff/kinds/kind.ts';
import { migrationOf } from '../../generator/diff/kinds/migrations.ts';
import { sentenceOf } from '../../generator/diff/report.ts';
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
} from './compared-documents.ts';
import { allowRemoteOption, allowUnresolvedOption, configOption } from './document-arguments.ts';
import { createProgress } from './progress.ts';
import { reportOutputOption, writeText } from './report-output.ts';

interface Options {
  readonly against?: string;
  readonly strictness: Strictness;
  readonly allowUnresolved?: boolean;
  readonly allowRemote?: boolean;
  readonly config?: string;
  readonly date?: string;
  readonly format: 'markdown' | 'json';
  readonly output?: string;
}

/** `specgate changelog`: release notes, from two documents. */
export function register(program: Command): void {
  program
    .command('changelog')
    .summary('write release notes from two documents')
    .description(
      'Writes release notes from two OpenRPC documents: breaking changes first, with what callers\n' +
        'have to do, then what was added, changed, deprecated and removed.',
    )
    .addArgument(oldArgument())
    .addArgument(newArgument())
    .addOption(againstOption())
    .addOption(
      new Option('--strictness <what>', 'what counts as breaking')
        .choices(['wire', 'source'])
        .default('wire'),
    )
    .addOption(allowRemoteOption())
    .addOption(allowUnresolvedOption())
    .addOption(configOption())
    .addOption(dateOption())
    .addOption(
      new Option('-f, --format <format>', 'output format')
        .choices(['markdown', 'json'])
        .default('markdown'),
    )
    .addOption(reportOutputOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate changelog v3.0.0:openrpc.json openrpc.json\n' +
        '  $ specgate changelog --against v3.0.0 --output CHANGES.md',
    )
    .action(changelog);
}

async function changelog(
  first: string | undefined,
  second: string | undefined,
  options: Options,
): Promise<void> {
  const project = await readProjectFile(options.config);
  const reader = createComparisonReader();
  const { allowUnresolved = false, allowRemote = false } = options;
  const progress = createProgress();
  const entries: { readonly title: string; readonly diff: Diff }[] = [];
  for (const each of planComparisons([first, second], options.against, project)) {
    const pair = await loadPair(each, {
      reader,
      allowUnresolved,
      allowRemote,
      onStep: progress.step,
    });
    const { strictness, date = today() } = options;
    const diff = diffDocuments(pair, { strictness, approvals: [], today: date });
    entries.push({ title: pair.new.model.info.title, diff });
  }
  progress.end();
  const isJson = options.format === 'json';
  const text = isJson
    ? `${JSON.stringify(entries.length === 1 ? toJson(entries[0]!) : entries.map(toJson), null, 2)}\n`
    : entries.map(({ title, diff }) => renderChangelog(diff, title)).join('\n');
  await writeText(text, options.output);
}

function toJson({ title, diff }: { readonly title: string; readonly diff: Diff }) {
  const { old, new: fresh, required, lowest } = diff.version;
  return {
    title,
    version: { old, new: fresh, required, lowest },
    sections: toSections(diff).map(({ section, title, changes }) => ({
      section,
      title,
      changes: changes.map((change) => ({
        kind: change.row.id,
        message: sentenceOf(change),
        methods: change.methods,
        ...(change.severity === 'info' ? {} : { todo: migrationOf(change.row.id) }),
      })),
    })),
  };
}
