import {
  type Diagnostic,
  DocumentError,
  UNUSABLE,
  describeDiagnostic,
  severities,
  unusable,
  wholeFile,
} from '../../common/diagnostic.ts';
import {
  countSeverities,
  sortDiagnostics,
  type Report,
  type ReportRule,
} from '../../generator/report/report.ts';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createTextReader, type TextReader } from '../../generator/files/text.ts';
import {
  printBaseline,
  readBaseline,
  withoutKnown,
  type Baseline,
} from '../../generator/lint/baseline.ts';
import { explainRule, listRules, toReportRule, toRow } from '../../generator/lint/describe.ts';
import { lintDocument, type LintOptions as DocumentOptions } from '../../generator/lint/lint.ts';
import { presets, type RuleLevel } from '../../generator/lint/rule.ts';
import { rules } from '../../generator/lint/rules.ts';
import type { ActiveRule } from '../../generator/lint/settings.ts';

import manifest from '../../package.json' with { type: 'json' };
import { allowRemoteOption, configOption } from './document-arguments.ts';
import {
  readLintSettings,
  refuseUnknown,
  type BaselineFile,
  type LintOptions,
} from './lint-settings.ts';
import { createProgress } from './progress.ts';
import {
  reportFormatOption,
  reportOutputOption,
  writeReport,
  type ReportOptions,
} from './report-output.ts';
import { exitCodes } from './verb.ts';

interface Options extends ReportOptions, LintOptions {
  readonly maxWarnings?: number;
  readonly updateBaseline?: boolean;
  readonly explain?: string;
  readonly list?: boolean;
  readonly allowRemote?: boolean;
}

/** `specgate lint`: checks documents against the rules. */
export function register(program: Command): void {
  program
    .command('lint')
    .summary('find errors and bad practices in OpenRPC documents')
    .description(
      `Applies ${rules.length} rules to OpenRPC documents: to their schemas, examples, names, errors, links and texts.\n` +
        'Without SPEC: to every document of the project file, or to openrpc.json.\n' +
        'Exits with 1 when a rule of the level "error" finds something.',
    )
    .addArgument(
      new Argument(
        '[SPEC...]',
        'OpenRPC documents, JSON or YAML: paths, URLs, or - for standard input',
      ),
    )
    .addOption(
      new Option('--extends <preset>', 'levels to start from')
        .choices(presets)
        .default(undefined, '"recommended"'),
    )
    .addOption(
      new Option(
        '--rule <id=level>',
        'level of a rule: off, info, warning or error; may be repeated',
      ).argParser(readRule),
    )
    .addOption(
      new Option('--max-warnings <n>', 'exit with 1 when there are more warnings').argParser(
        readCount,
      ),
    )
    .option('--baseline <file>', 'file of known findings to suppress')
    .option('--update-baseline', 'write the current findings to the baseline file and exit')
    .addOption(allowRemoteOption())
    .addOption(configOption())
    .addOption(reportFormatOption())
    .addOption(reportOutputOption())
    .addOption(new Option('--list', 'list the rules'))
    .addOption(
      new Option('--explain <rule>', 'print why a rule exists and how to fix what it finds'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate lint openrpc.json\n' +
        '  $ specgate lint a.json b.yaml --extends strict --rule method-examples=off\n' +
        '  $ specgate lint openrpc.json --format sarif --output lint.sarif\n' +
        '  $ specgate lint --explain example-result-valid',
    )
    .action(lint);
}

function readRule(text: string, previous: Readonly<Record<string, RuleLevel>> = {}) {
  const [id = '', level = ''] = text.split('=', 2);
  if (!['off', ...severities].includes(level)) {
    throw new InvalidArgumentError(
      'Write it as id=level, where level is off, info, warning or error.',
    );
  }
  return { ...previous, [id]: level as RuleLevel };
}

function readCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}

async function lint(specs: readonly string[], options: Options): Promise<void> {
  if (options.list === true) return list(options);
  if (options.explain !== undefined) return explain(options.explain, options);
  const { active, documents, baseline } = await readLintSettings(options);
  const reader = createTextReader({ stdin: process.stdin });
  const files = specs.length > 0 ? specs : documents;
  const outcome = await lintAll(files, {
    reader,
    active,
    allowRemote: options.allowRemote === true,
  });
  if (options.updateBaseline === true) return updateBaseline(baseline?.file ?? null, outcome);
  const isWhole = specs.length === 0;
  const diagnostics = await leaveOutKnown(outcome, { reader, baseline, options, isWhole });
  await report({ ...outcome, diagnostics }, options);
}

async function updateBaseline(
  file: string | null,
  { diagnostics, unreadable }: Outcome,
): Promise<void> {
  // A document that cannot be used may have any number of findings.
  if (unreadable.length > 0) return printUnreadable(unreadable);
  await writeFile(file ?? DEFAULT_BASELINE, printBaseline(diagnostics));
  console.log(
    `${count(diagnostics.length, 'known finding')} written to ${file ?? DEFAULT_BASELINE}`,
  );
}

/** The file that `--update-baseline` writes where none is named. */
const DEFAULT_BASELINE = 'specgate.lint-baseline.json';

async function lintAll(files: readonly string[], options: DocumentOptions): Promise<Outcome> {
  const progress = createProgress();
  const diagnostics: Diagnostic[] = [];
  const all = new Map<string, string>();
  const unreadable: Diagnostic[] = [];
  for (const file of files) {
    progress.step(`linting ${file}`);
    try {
      const linted = await lintDocument(file, options);
      diagnostics.push(...sortDiagnostics(linted.diagnostics));
      for (const [name, text] of linted.texts) all.set(name, text);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      unreadable.push(...error.diagnostics);
    }
  }
  progress.end();
  return { diagnostics, texts: all, unreadable, active: options.active, files };
}

interface KnownOptions {
  readonly reader: TextReader;
  readonly baseline: BaselineFile | null;
  readonly options: Options;
  /** True when all documents of the project were linted. */
  readonly isWhole: boolean;
}

async function leaveOutKnown(
  { diagnostics, unreadable, texts }: Outcome,
  { reader, baseline, options, isWhole }: KnownOptions,
): Promise<readonly Diagnostic[]> {
  if (baseline === null) return diagnostics;
  const known = await readKnown(baseline, { reader, options });
  if (known === null) return diagnostics;
  const { file } = baseline;
  // What was not read may still have the findings that the baseline lists.
  const isRead = (entry: { readonly file: string }) =>
    unreadable.length === 0 && (isWhole || texts.has(entry.file));
  const compared = withoutKnown(diagnostics, known, isRead);
  if (options.format === 'text' && compared.known > 0) {
    console.error(`${count(compared.known, 'known finding')} suppressed (${file})`);
  }
  if (options.format === 'text' && compared.obsolete > 0) {
    console.error(
      `${count(compared.obsolete, 'obsolete entry', 'obsolete entries')} in ${file}; run --update-baseline`,
    );
  }
  return compared.diagnostics;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The baseline; null when it has not been written yet, which is an error if the user named it. */
async function readKnown(
  { file, mayBeMissing }: BaselineFile,
  { reader, options }: Pick<KnownOptions, 'reader' | 'options'>,
): Promise<Baseline | null> {
  if (mayBeMissing && !existsSync(file)) {
    if (options.format === 'text') {
      console.error(`no baseline at ${file} yet; write it with specgate lint --update-baseline`);
    }
    return null;
  }
  const known = readBaseline((await reader.read(file)).text);
  if (known !== null) return known;
  const message = 'this is not a lint baseline';
  const fix = `write one with specgate lint --baseline ${file} --update-baseline`;
  throw new DocumentError([unusable({ ...wholeFile(file), line: 1, column: 1 }, { message, fix })]);
}

function printUnreadable(unreadable: readonly Diagnostic[]): void {
  for (const each of unreadable) console.error(describeDiagnostic(each));
  if (unreadable.length > 0) process.exitCode = exitCodes.unusable;
}

interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, string>;
  /** What makes documents unusable. */
  readonly unreadable: readonly Diagnostic[];
  readonly active: readonly ActiveRule[];
  readonly files: readonly string[];
}

async function report(outcome: Outcome, options: Options): Promise<void> {
  const { diagnostics, unreadable, active, files, texts } = outcome;
  // At a terminal it is printed as by every verb; a program reads it among the other diagnostics.
  const isForPeople = options.format === 'text';
  if (isForPeople) printUnreadable(unreadable);
  const listed = isForPeople ? [] : unreadable;
  const found: Report = {
    verb: 'lint',
    version: manifest.version,
    files: files.map((file) => (file === '-' ? '<stdin>' : file)),
    rules: [...active.map(toReportRule), ...(listed.length > 0 ? [UNUSABLE_RULE] : [])],
    diagnostics: [...listed, ...diagnostics],
    texts,
    root: process.cwd(),
  };
  const isUseless = isForPeople && diagnostics.length === 0 && unreadable.length > 0;
  if (!isUseless) await writeReport(found, options);
  const { error, warning } = countSeverities(diagnostics);
  const isFound = error > 0 || warning > (options.maxWarnings ?? Infinity);
  if (unreadable.length > 0) process.exitCode = exitCodes.unusable;
  else if (isFound) process.exitCode = exitCodes.findings;
}

/** The rule that reports show for a document that cannot be used. */
const UNUSABLE_RULE: ReportRule = {
  id: UNUSABLE,
  title: 'The document can be read',
  severity: 'error',
  help: 'The document could not be read, or is not an OpenRPC document. Nothing else was checked.',
  helpUri: 'https://spec.open-rpc.org/#openrpc-document',
};

function list({ format }: Options): void {
  const rows = rules.map(toRow);
  process.stdout.write(format === 'json' ? `${JSON.stringify(rows, null, 2)}\n` : listRules());
}

function explain(id: string, { format }: Options): void {
  const rule = refuseUnknown(id, '--explain');
  process.stdout.write(
    format === 'json' ? `${JSON.stringify(toRow(rule), null, 2)}\n` : explainRule(rule),
  );
}
