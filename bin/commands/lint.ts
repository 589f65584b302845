import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { createTextReader } from '../../generator/files/text.ts';
import { loadProject } from '../../generator/files/project.ts';
import { explainRule, listRules, toReportRule, toRow } from '../../generator/lint/describe.ts';
import { lintDocument } from '../../generator/lint/lint.ts';
import { presets, type Preset, type RuleLevel } from '../../generator/lint/rule.ts';
import { rules } from '../../generator/lint/rules.ts';
import {
  activeRules,
  findSettingFaults,
  unknownRule,
  type ActiveRule,
  type LintConfig,
} from '../../generator/lint/settings.ts';
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
import { parseSource } from '../../generator/source/parse.ts';
import manifest from '../../package.json' with { type: 'json' };
import { configOption } from './document-arguments.ts';
import { createProgress } from './progress.ts';
import {
  reportFormatOption,
  reportOutputOption,
  writeReport,
  type ReportOptions,
} from './report-output.ts';
import { exitCodes } from './verb.ts';

interface Options extends ReportOptions {
  readonly config?: string;
  readonly extends?: Preset;
  readonly rule?: Readonly<Record<string, RuleLevel>>;
  readonly maxWarnings?: number;
  readonly explain?: string;
  readonly list?: boolean;
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
    .addOption(configOption())
    .addOption(reportFormatOption())
    .addOption(reportOutputOption())
    .addOption(new Option('--list', 'list the rules, and what each asks'))
    .addOption(
      new Option('--explain <rule>', 'tell why a rule is there, and how to mend what it finds'),
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
  const { active, documents } = await readSettings(options);
  const progress = createProgress();
  const linted = { findings: [] as Finding[], texts: new Map<string, string>() };
  const problems: Problem[] = [];
  const reader = createTextReader({ stdin: process.stdin });
  const wanted = specs.length > 0 ? specs : documents;
  for (const spec of wanted) {
    progress.step(`linting ${spec}`);
    try {
      const { findings, texts } = await lintDocument(spec, { reader, active });
      linted.findings.push(...sortFindings(findings));
      for (const [name, text] of texts) linted.texts.set(name, text);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      problems.push(...error.problems);
    }
  }
  progress.end();
  await tell({ ...linted, problems, active, files: wanted }, options);
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
  if (isForPeople) for (const problem of problems) console.error(describeProblem(problem));
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

/** The levels of the project file as the command line changes them, and the project's documents. */
async function readSettings(options: Options) {
  const project = await loadProject(options.config === undefined ? {} : { file: options.config });
  const own: LintConfig = project?.lint ?? {};
  const faults = findSettingFaults(own);
  if (project !== null && faults.length > 0) {
    const source = parseSource(await createTextReader().read(project.file));
    throw new DocumentError(
      faults.map(({ path, what, mend }) => {
        const pointer = `/lint/${path.join('/')}`;
        return { what, mend, file: project.file, ...source.positionOf(pointer), pointer };
      }),
    );
  }
  const custom = own.custom ?? [];
  for (const id of Object.keys(options.rule ?? {})) {
    if (custom.every((rule) => rule.id !== id)) refuseUnknown(id, '--rule');
  }
  const config: LintConfig = {
    extends: options.extends ?? own.extends ?? 'recommended',
    rules: { ...own.rules, ...options.rule },
    custom,
  };
  const documents = project?.documents.map(({ document }) => document) ?? [];
  return {
    active: activeRules(config),
    documents: documents.length > 0 ? documents : ['openrpc.json'],
  };
}

function refuseUnknown(id: string, file: string) {
  const rule = rules.find((each) => each.id === id);
  if (rule !== undefined) return rule;
  throw new DocumentError([{ ...unknownRule(id), file, line: null, column: null, pointer: null }]);
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
