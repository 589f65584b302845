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
import { DocumentError, describeProblem, type Problem } from '../../generator/problem/problem.ts';
import {
  countLevels,
  levels,
  sortFindings,
  toFinding,
  UNUSABLE,
  type Finding,
} from '../../generator/report/finding.ts';
import type { Report } from '../../generator/report/report.ts';
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

/** `specgate lint`: tells what rules find in documents. */
export function register(program: Command): void {
  program
    .command('lint')
    .summary('find what is wrong, or will go wrong, with OpenRPC documents')
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
    .addOption(new Option('--list', 'list the rules, and what each asks'))
    .addOption(
      new Option('--explain <rule>', 'tell why a rule is there, and how to fix what it finds'),
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
  if (!['off', ...levels].includes(level)) {
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
  const findings = await leaveOutKnown(outcome, { reader, baseline, options, isWhole });
  await tell({ ...outcome, findings }, options);
}

async function updateBaseline(file: string | null, { findings, problems }: Outcome): Promise<void> {
  // Of a document that cannot be used nothing is known, not that nothing is wrong.
  if (problems.length > 0) return tellProblems(problems);
  await writeFile(file ?? DEFAULT_BASELINE, printBaseline(findings));
  console.log(`known now: ${findings.length} (${file ?? DEFAULT_BASELINE})`);
}

/** The file that `--update-baseline` writes where none is named. */
const DEFAULT_BASELINE = 'specgate.lint-baseline.json';

async function lintAll(files: readonly string[], options: DocumentOptions): Promise<Outcome> {
  const progress = createProgress();
  const findings: Finding[] = [];
  const all = new Map<string, string>();
  const problems: Problem[] = [];
  for (const file of files) {
    progress.step(`linting ${file}`);
    try {
      const linted = await lintDocument(file, options);
      findings.push(...sortFindings(linted.findings));
      for (const [name, text] of linted.texts) all.set(name, text);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      problems.push(...error.problems);
    }
  }
  progress.end();
  return { findings, texts: all, problems, active: options.active, files };
}

interface KnownOptions {
  readonly reader: TextReader;
  readonly baseline: BaselineFile | null;
  readonly options: Options;
  /** True when all documents of the project were linted. */
  readonly isWhole: boolean;
}

async function leaveOutKnown(
  { findings, problems, texts }: Outcome,
  { reader, baseline, options, isWhole }: KnownOptions,
): Promise<readonly Finding[]> {
  if (baseline === null) return findings;
  const known = await readKnown(baseline, { reader, options });
  if (known === null) return findings;
  const { file } = baseline;
  // What was not read may still have the findings that the baseline lists.
  const isRead = (entry: { readonly file: string }) =>
    problems.length === 0 && (isWhole || texts.has(entry.file));
  const compared = withoutKnown(findings, known, isRead);
  if (options.format === 'text' && compared.known > 0) {
    console.error(`${count(compared.known, 'known finding')} suppressed (${file})`);
  }
  if (options.format === 'text' && compared.obsolete > 0) {
    console.error(
      `${count(compared.obsolete, 'obsolete entry', 'obsolete entries')} in ${file}; run --update-baseline`,
    );
  }
  return compared.findings;
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
  const what = 'it is not a baseline of lint';
  const fix = `write one with specgate lint --baseline ${file} --update-baseline`;
  throw new DocumentError([{ what, fix, file, line: 1, column: 1, pointer: null }]);
}

function tellProblems(problems: readonly Problem[]): void {
  for (const problem of problems) console.error(describeProblem(problem));
  if (problems.length > 0) process.exitCode = exitCodes.unusable;
}

interface Outcome {
  readonly findings: readonly Finding[];
  readonly texts: ReadonlyMap<string, string>;
  /** What makes documents unusable. */
  readonly problems: readonly Problem[];
  readonly active: readonly ActiveRule[];
  readonly files: readonly string[];
}

async function tell(outcome: Outcome, options: Options): Promise<void> {
  const { findings, problems, active, files, texts } = outcome;
  // A reader at a terminal is told as every verb tells it; a program finds it among the rest.
  const isForPeople = options.format === 'text';
  if (isForPeople) tellProblems(problems);
  const unusable = isForPeople ? [] : problems.map(toFinding);
  const report: Report = {
    verb: 'lint',
    version: manifest.version,
    files: files.map((file) => (file === '-' ? '<stdin>' : file)),
    rules: [...active.map(toReportRule), ...(unusable.length > 0 ? [UNUSABLE] : [])],
    findings: [...unusable, ...findings],
    texts,
    root: process.cwd(),
  };
  const isUseless = isForPeople && findings.length === 0 && problems.length > 0;
  if (!isUseless) await writeReport(report, options);
  const { error, warning } = countLevels(findings);
  const isFound = error > 0 || warning > (options.maxWarnings ?? Infinity);
  if (problems.length > 0) process.exitCode = exitCodes.unusable;
  else if (isFound) process.exitCode = exitCodes.findings;
}

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
