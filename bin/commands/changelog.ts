import { Option, type Command } from 'commander';
import { renderChangelog, toSections } from '../../generator/diff/changelog.ts';
import type { Strictness } from '../../generator/diff/kinds/kind.ts';
import { sentenceOf } from '../../generator/diff/report.ts';
import { loadProject } from '../../generator/project/load.ts';
import {
  addCompareOptions,
  addDocuments,
  compareDocuments,
  createRecordingReader,
  type Compared,
  type CompareOptions,
} from './compare.ts';
import { formatOption } from './options.ts';
import { examples, toJsonText, writeText } from './verb.ts';

interface Options extends CompareOptions {
  readonly strictness: Strictness;
  readonly format: 'markdown' | 'json';
  readonly output?: string;
}

/** `specgate changelog`: release notes from two documents. */
export function register(command: Command): void {
  addDocuments(command)
    .description(
      'Writes release notes for the changes between two OpenRPC documents: breaking changes first,\n' +
        'with migration steps, then what was added, changed, deprecated and removed.',
    )
    .addOption(
      new Option('--strictness <mode>', 'what counts as breaking')
        .choices(['wire', 'source'])
        .default('wire'),
    );
  addCompareOptions(command, 'sunset dates')
    .addOption(formatOption(['markdown', 'json']))
    .option('--output <file>', 'write to a file instead of standard output')
    .addHelpText(
      'after',
      examples(
        'changelog v3.0.0:openrpc.json openrpc.json',
        'changelog --against v3.0.0 --output CHANGES.md',
      ),
    )
    .action(changelog);
}

async function changelog(
  first: string | undefined,
  second: string | undefined,
  options: Options,
): Promise<void> {
  const { strictness, format, output } = options;
  const project = await loadProject(options.config);
  const reader = createRecordingReader();
  const levels = project?.diff ?? {};
  const settings = { project, reader, strictness, approvals: [], levels };
  const compared = await compareDocuments([first, second], options, settings);
  const json = compared.map(toJson);
  const text =
    format === 'json'
      ? toJsonText(json.length === 1 ? json[0] : json)
      : compared.map((each) => renderChangelog(each.diff, titleOf(each))).join('\n');
  await writeText(text, output);
}

function titleOf({ pair }: Compared): string {
  return pair.new.model.info.title;
}

function toJson(compared: Compared) {
  const { diff } = compared;
  const { old, new: fresh, required, lowest } = diff.version;
  return {
    title: titleOf(compared),
    version: { old, new: fresh, required, lowest },
    sections: toSections(diff).map(({ section, title, changes }) => ({
      section,
      title,
      changes: changes.map((change) => ({
        kind: change.row.id,
        message: sentenceOf(change),
        methods: change.methods,
        ...(change.severity === 'info' ? {} : { todo: change.row.migration }),
      })),
    })),
  };
}
