import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { onOneLine, visible } from '../../common/escape/text.ts';
import type { Diagnostic } from '../../common/diagnostic.ts';
import { writeFiles } from '../../generator/files/folder.ts';
import { createTextReader } from '../../generator/files/text.ts';
import { printBaseline } from '../../generator/lint/baseline.ts';
import { discover, type Discovery } from '../../generator/project/discover.ts';
import { asPath, projectFiles } from '../../generator/project/load.ts';
import { renderProjectSchema } from '../../generator/project/schema.ts';
import { countSeverities } from '../../generator/report/report.ts';
import { lintAll } from './lint.ts';
import { readResolve } from './open-document.ts';
import { readLintSettings } from './lint-settings.ts';
import { counted, examples, exitCodes, misuse, writeText } from './verb.ts';

const PROJECT = 'specgate.config.yaml';
const BASELINE = 'specgate.lint-baseline.json';
const WORKFLOW = '.github/workflows/specgate.yml';

/** `specgate init`: sets up a repository that already has documents. */
export function register(command: Command): void {
  command
    .description(
      'Finds the OpenRPC documents in the current folder and writes a project file that lists them,\n' +
        'a baseline of the current lint findings, and a GitHub Actions workflow. Existing files are\n' +
        'not changed.',
    )
    .option('--print-schema', 'print the JSON Schema of the project file and exit')
    .addHelpText('after', examples('init'))
    .action(({ printSchema }: { printSchema?: true }) =>
      printSchema === true ? writeText(renderProjectSchema(), undefined) : init(),
    );
}

async function init(): Promise<void> {
  const found = await discover('.');
  if (found.documents.length === 0) throw noDocument(found);
  console.log(describe(found));
  const existing = projectFiles.find((name) => existsSync(name));
  await writeMissing([
    [existing ?? PROJECT, printProject(found)],
    [WORKFLOW, printWorkflow(found)],
  ]);
  await lintOnce();
  console.log('\nnext: run specgate lint, then specgate diff --against <branch>');
}

function noDocument({ buildScript }: Discovery): Error {
  const build =
    buildScript === null ? '' : `run npm run ${buildScript} if it generates the document, `;
  return misuse(
    'no OpenRPC document found: no JSON or YAML file in this folder has a top-level "openrpc" member',
    `${build}run specgate init in the folder of the document, or write specgate.config.yaml`,
  );
}

async function writeMissing(
  files: readonly (readonly [path: string, text: string])[],
): Promise<void> {
  const missing = new Map(files.filter(([path]) => !existsSync(path)));
  await writeFiles('.', missing);
  for (const [path] of files) {
    console.log(`${missing.has(path) ? 'written' : 'kept   '}   ${visible(path)}`);
  }
}

/** How much of a title is printed. */
const TITLE_LENGTH = 100;

/**
 * Describes what was found. Each line begins with a fixed word, since a CI system could interpret a line
 * that begins with a name as a command.
 */
function describe({ documents, leftOut, tools, isBuilt }: Discovery): string {
  const lines = [
    ...documents.map(({ path, title, methods }) => {
      const name = visible(onOneLine(title).slice(0, TITLE_LENGTH));
      return `found     ${visible(path)}: ${name}, ${counted(methods, 'method')}`;
    }),
    ...leftOut.map(({ path, why }) => `skipped   ${visible(path)} (${visible(why)})`),
    ...(isBuilt ? ['note      git ignores the documents; the workflow builds them first'] : []),
    ...tools.map(
      (tool) =>
        `note      the repository uses ${tool}; see the docs page "Coming from other tools"`,
    ),
  ];
  return lines.join('\n');
}

function printProject({ documents }: Discovery): string {
  const listed = documents.map(({ path }) => ({ document: asPath(path), targets: [] }));
  return (
    '# The documents that Specgate lints, compares and generates code from. To generate code, list\n' +
    '# targets and set an output folder (out) for each document.\n' +
    stringify({ documents: listed, lint: { extends: 'recommended', baseline: BASELINE } })
  );
}

function printWorkflow({ isBuilt, buildScript }: Discovery): string {
  // A name that ends with a colon has to be quoted in YAML.
  const run = stringify({ run: `npm ci && npm run ${buildScript ?? 'build'}` }, { lineWidth: 0 });
  const build = isBuilt
    ? `      # The documents are not committed; this step generates them.\n      - ${run}`
    : '';
  return `name: specgate
on: pull_request
permissions:
  contents: read
jobs:
  specgate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
${build}      # Replace OWNER and REF with the Specgate repository and a commit or tag that you trust.
      - uses: OWNER/specgate@REF
`;
}

/** Lints the documents of the project, and writes the baseline if there is none. */
async function lintOnce(): Promise<void> {
  const { active, documents, baseline } = await readLintSettings({});
  const reader = createTextReader();
  const { diagnostics, unreadable } = await lintAll(documents, {
    reader,
    active,
    resolve: await readResolve({}, reader),
  });
  const file = baseline?.file;
  if (file !== undefined && (diagnostics.length > 0 || existsSync(file))) {
    await writeMissing([[file, printBaseline(diagnostics)]]);
  }
  console.log(summarize(diagnostics));
  if (unreadable.length === 0) return;
  console.log(
    `a document is invalid (${counted(unreadable.length, 'error')}); run specgate lint for details`,
  );
  process.exitCode = exitCodes.findings;
}

/** How many rules are named. */
const MAX_RULES = 5;

function summarize(diagnostics: readonly Diagnostic[]): string {
  const { error, warning } = countSeverities(diagnostics);
  const counts = Map.groupBy(diagnostics, ({ code }) => code);
  const most = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
  const named = most.slice(0, MAX_RULES).map(([code, each]) => `${code} ${each.length}`);
  const more =
    most.length > MAX_RULES ? `, and ${counted(most.length - MAX_RULES, 'other rule')}` : '';
  const rules = named.length === 0 ? '' : ` (${named.join(', ')}${more})`;
  return `\nlint: ${counted(error, 'error')}, ${counted(warning, 'warning')}${rules}`;
}
