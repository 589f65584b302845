import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  type Diagnostic,
  DocumentError,
  UNUSABLE,
  describeDiagnostic,
  unusable,
  wholeFile,
} from '../../common/diagnostic.ts';
import { shellArgument } from '../../common/escape/shell.ts';
import { visible } from '../../common/escape/text.ts';
import type { ResolveEntry } from '../../generator/bundle/resolver.ts';
import { refuseSpecialFiles, replaceFile } from '../../generator/files/replace-file.ts';
import { createTextReader, type TextReader } from '../../generator/files/text.ts';
import {
  printBaseline,
  readBaseline,
  withoutKnown,
  type Baseline,
} from '../../generator/lint/baseline.ts';
import { explainRule, listRules, toReportRule, toRow } from '../../generator/lint/describe.ts';
import {
  INVALID_PART,
  lintDocument,
  type LintOptions as DocumentOptions,
} from '../../generator/lint/lint.ts';
import { presets } from '../../generator/lint/rule.ts';
import { rules } from '../../generator/lint/rules.ts';
import { renderReport } from '../../generator/report/render.ts';
import {
  countSeverities,
  sortDiagnostics,
  type Report,
  type ReportRule,
} from '../../generator/report/report.ts';
import manifest from '../../package.json' with { type: 'json' };
import { readResolve } from './open-document.ts';
import {
  findRule,
  readLintSettings,
  type BaselineFile,
  type LintOptions,
} from './lint-settings.ts';
import {
  allowRemoteOption,
  configOption,
  outputOption,
  reportFormatOption,
  ruleOption,
  type ReportOptions,
  resolveOption,
} from './options.ts';
import {
  counted,
  createProgress,
  examples,
  exitCodes,
  toJsonText,
  warn,
  writeText,
} from './verb.ts';

interface Options extends ReportOptions, LintOptions {
  readonly maxWarnings?: number;
  readonly updateBaseline?: true;
  readonly explain?: string;
  readonly list?: true;
  readonly all?: true;
  readonly allowRemote?: true;
  readonly resolve?: readonly ResolveEntry[];
}

/** `specgate lint`: checks documents against the rules. */
export function register(command: Command): void {
  command
    .description(
      `Applies ${rules.length} rules to the schemas, examples, names, errors, links and descriptions of OpenRPC documents.\n` +
        'Without SPEC: to every document listed in the project file, or to openrpc.json.\n' +
        'Exits with 1 if there are findings at level "error".',
    )
    .argument('[SPEC...]', 'OpenRPC documents, JSON or YAML: paths, URLs, or - for standard input')
    .addOption(
      new Option(
        '--extends <preset>',
        'preset of levels to start from (default: from the project file, otherwise recommended)',
      ).choices(presets),
    )
    .addOption(ruleOption('rule'))
    .option('--all', 'show every finding; by default, text output shows repeated ones once')
    .option('--max-warnings <n>', 'exit with 1 if there are more warnings than this', readCount)
    .option('--baseline <file>', 'file of known findings to suppress')
    .option('--update-baseline', 'write the current findings to the baseline file and exit')
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addOption(configOption)
    .addOption(reportFormatOption)
    .addOption(outputOption)
    .option('--list', 'list the rules')
    .option('--explain <rule>', 'print why a rule exists and how to fix its findings')
    .addHelpText(
      'after',
      examples(
        'lint openrpc.json',
        'lint a.json b.yaml --extends strict --rule method-examples=off',
        'lint openrpc.json --format sarif --output lint.sarif',
        'lint --explain example-result-valid',
      ),
    )
    .action(lint);
}

function readCount(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

async function lint(specs: readonly string[], options: Options): Promise<void> {
  const { format, allowRemote = false } = options;
  if (options.list) {
    return writeText(format === 'json' ? toJsonText(rules.map(toRow)) : listRules(), undefined);
  }
  if (options.explain !== undefined) {
    const rule = findRule(options.explain, '--explain');
    return writeText(format === 'json' ? toJsonText(toRow(rule)) : explainRule(rule), undefined);
  }
  const { active, documents, baseline } = await readLintSettings(options);
  const reader = createTextReader({ stdin: process.stdin });
  const files = specs.length > 0 ? specs : documents;
  const resolve = await readResolve(options, reader);
  const outcome = await lintAll(files, { reader, active, allowRemote, resolve });
  if (options.updateBaseline) return updateBaseline(baseline ?? DEFAULT_BASELINE, reader, outcome);
  const isWhole = specs.length === 0;
  const known = { reader, baseline, isWhole, isText: format === 'text' };
  const diagnostics = await leaveOutKnown(outcome, known);
  await report({ ...outcome, diagnostics }, options);
}

interface Outcome extends DocumentOptions {
  readonly diagnostics: readonly Diagnostic[];
  readonly texts: ReadonlyMap<string, string>;
  /** Diagnostics of documents that cannot be used. */
  readonly unreadable: readonly Diagnostic[];
  readonly files: readonly string[];
}

/** Lints documents one after the other. */
export async function lintAll(
  files: readonly string[],
  options: DocumentOptions,
): Promise<Outcome> {
  const progress = createProgress();
  const diagnostics: Diagnostic[] = [];
  const texts = new Map<string, string>();
  const unreadable: Diagnostic[] = [];
  for (const file of files) {
    progress.step(`linting ${file}`);
    try {
      const linted = await lintDocument(file, options);
      for (const each of sortDiagnostics(linted.diagnostics)) diagnostics.push(each);
      for (const [name, text] of linted.texts) texts.set(name, text);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      for (const each of error.diagnostics) unreadable.push(each);
    }
  }
  progress.end();
  return { ...options, diagnostics, texts, unreadable, files };
}

/** The file that `--update-baseline` writes by default. */
const DEFAULT_BASELINE: BaselineFile = {
  file: 'specgate.lint-baseline.json',
  folder: '.',
  mayBeMissing: true,
};

async function updateBaseline(
  { file, folder }: BaselineFile,
  reader: TextReader,
  { diagnostics, unreadable }: Outcome,
): Promise<void> {
  // The findings of an unusable document are unknown, so the baseline would lack them.
  if (unreadable.length > 0) return printUnreadable(unreadable);
  await refuseSpecialFiles(folder, [relative(folder, file)], 'choose another file (--baseline)');
  if (existsSync(file)) await loadBaseline(file, reader);
  await replaceFile(file, printBaseline(diagnostics), await realpath(dirname(file)));
  console.log(`${counted(diagnostics.length, 'known finding')} written to ${visible(file)}`);
}

/** @throws DocumentError if the file is not a lint baseline */
async function loadBaseline(file: string, reader: TextReader): Promise<Baseline> {
  const baseline = readBaseline((await reader.read(file)).text);
  if (baseline !== null) return baseline;
  const message = 'this is not a lint baseline';
  const fix = `choose another file, or remove this one and run specgate lint --baseline ${shellArgument(file)} --update-baseline`;
  throw new DocumentError([unusable({ ...wholeFile(file), line: 1, column: 1 }, { message, fix })]);
}

interface KnownOptions {
  readonly reader: TextReader;
  readonly baseline: BaselineFile | null;
  /** Whether all documents of the project were linted. */
  readonly isWhole: boolean;
  /** Whether to print notices. */
  readonly isText: boolean;
}

async function leaveOutKnown(
  { diagnostics, unreadable, texts }: Outcome,
  { reader, baseline, isWhole, isText }: KnownOptions,
): Promise<readonly Diagnostic[]> {
  if (baseline === null) return diagnostics;
  const { file, mayBeMissing } = baseline;
  const print = (text: string) => isText && warn(text);
  if (mayBeMissing && !existsSync(file)) {
    print(`no baseline at ${file} yet; write it with specgate lint --update-baseline`);
    return diagnostics;
  }
  const known = await loadBaseline(file, reader);
  // Documents that were not linted may still have the findings listed for them.
  const isRead = (entry: { readonly file: string }) =>
    unreadable.length === 0 && (isWhole || texts.has(entry.file));
  const compared = withoutKnown(diagnostics, known, isRead);
  if (compared.known > 0) print(`${counted(compared.known, 'known finding')} suppressed (${file})`);
  if (compared.obsolete > 0) {
    const entries = counted(compared.obsolete, 'obsolete entry', 'obsolete entries');
    print(`${entries} in ${file}; run again with --update-baseline`);
  }
  return compared.diagnostics;
}

function printUnreadable(unreadable: readonly Diagnostic[]): void {
  for (const each of unreadable) warn(describeDiagnostic(each));
  if (unreadable.length > 0) process.exitCode = exitCodes.unusable;
}

async function report(
  outcome: Outcome,
  { format, output, all, maxWarnings }: Options,
): Promise<void> {
  const { diagnostics, unreadable, active, files, texts } = outcome;
  // The text format prints unusable documents on standard error; others list them as diagnostics.
  const isText = format === 'text';
  if (isText) printUnreadable(unreadable);
  const listed = isText ? [] : unreadable;
  const found: Report = {
    verb: 'lint',
    version: manifest.version,
    files: files.map((file) => (file === '-' ? '<stdin>' : file)),
    rules: [
      ...active.map(toReportRule),
      ...(diagnostics.some(({ code }) => code === INVALID_PART) ? [INVALID_PART_RULE] : []),
      ...(listed.length > 0 ? [UNUSABLE_RULE] : []),
    ],
    diagnostics: [...listed, ...diagnostics],
    texts,
    root: process.cwd(),
    isGrouped: all !== true,
  };
  const isEmpty = isText && diagnostics.length === 0 && unreadable.length > 0;
  if (!isEmpty) await writeText(renderReport(found, format), output);
  const { error, warning } = countSeverities(diagnostics);
  if (unreadable.length > 0) process.exitCode = exitCodes.unusable;
  else if (error > 0 || warning > (maxWarnings ?? Infinity)) process.exitCode = exitCodes.findings;
}

/** The rule under which reports list invalid parts; other rules are not applied to such parts. */
const INVALID_PART_RULE: ReportRule = {
  id: INVALID_PART,
  title: 'Every part of the document follows the specification',
  severity: 'error',
  help: 'Other rules skipped the part of the document with this error: the smallest part that can be left out.',
  helpUri: 'https://spec.open-rpc.org/',
};

const UNUSABLE_RULE: ReportRule = {
  id: UNUSABLE,
  title: 'The document can be read',
  severity: 'error',
  help: 'The document could not be read, or is not an OpenRPC document. Nothing else was checked.',
  helpUri: 'https://spec.open-rpc.org/#openrpc-document',
};
