import { InvalidArgumentError, type Command } from 'commander';
import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { visible } from '../../common/escape/text.ts';
import { baseNameOf, createTextReader, type TextReader } from '../../generator/files/text.ts';
import type { Model } from '../../generator/model/model.ts';
import { updateFolder, type Update } from '../../generator/output/update.ts';
import { BASE, docsSummary } from '../../generator/targets/docs/assets.ts';
import { loadTargets } from '../../generator/targets/index.ts';
import { planJobs, renderJob, siteInputs, type Job, type JobOptions } from './jobs.ts';
import { openDocument } from './open-document.ts';
import {
  allowRemoteOption,
  lenientOption,
  configOption,
  formatOption,
  outOption,
  packageNameOption,
  specArgument,
  targetOption,
  type OutputFormat,
  resolveOption,
} from './options.ts';
import { warnOfSlowPatterns } from './slow-patterns.ts';
import {
  createProgress,
  examples,
  exitCodes,
  misuse,
  reportBrokenParts,
  toJsonText,
} from './verb.ts';
import { noteFiles, repeatOnChange } from './watch.ts';

interface Options extends JobOptions {
  readonly format: OutputFormat;
  readonly watch?: boolean;
}

interface Generated extends Update {
  readonly out: string;
}

/** `specgate generate`: writes the files of targets. */
export async function register(command: Command): Promise<void> {
  command
    .description(
      'Generates types, validators, a method table, errors, a server and clients from an\n' +
        'OpenRPC document.\n' +
        'Without SPEC: from every document listed in the project file.\n\n' +
        `Targets:\n${await listTargets()}\n\n` +
        'Without --target: the TypeScript targets. The docs target needs its own folder.',
    )
    .argument(...specArgument('openrpc.json, or the documents listed in the project file'))
    .addOption(outOption)
    .addOption(targetOption('write only these targets', ['docs']))
    .addOption(configOption)
    .addOption(packageNameOption)
    .addOption(allowRemoteOption)
    .addOption(resolveOption)
    .addOption(lenientOption)
    .option('--guides <dir>', 'docs: folder of Markdown files that become pages of the site')
    .option('--changelog <file>', 'docs: Markdown file that becomes a page')
    .option('--releases <dir>', 'docs: folder of released documents; their changes become a page')
    .option('--base <path>', 'docs: path of the site on its host, used by its 404.html', readBase)
    .option('-w, --watch', 'regenerate when the document or a file that it refers to changes')
    .addOption(formatOption())
    .addHelpText(
      'after',
      examples(
        'generate',
        'generate openrpc.json --out generated',
        'generate https://example.org/openrpc.yaml --target types client',
        'generate openrpc.json --target docs --out site --guides guides',
      ),
    )
    .action(generate);
}

function readBase(text: string): string {
  if (BASE.test(text)) return text;
  throw new InvalidArgumentError('Expected a path with a slash at both ends, such as "/docs/".');
}

async function listTargets(): Promise<string> {
  return [...(await loadTargets()), { name: 'docs', summary: docsSummary }]
    .map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`)
    .join('\n');
}

async function generate(
  spec: string | undefined,
  { watch = false, ...options }: Options,
  command: Command,
): Promise<void> {
  const fail = (message: string) =>
    command.error(`error: ${message}`, { exitCode: exitCodes.unusable });
  if (options.target?.includes('docs') === true && options.target.length > 1) {
    fail('the docs need a folder of their own: pass only --target docs, with its own --out');
  }
  if (!watch) return reportBrokenParts(() => generateAll(spec, options));
  if (spec === '-') fail('standard input cannot be watched: pass a file');
  await repeatOnChange((watched) =>
    generateAll(spec, options, noteFiles(createTextReader(), watched)),
  );
}

async function generateAll(
  spec: string | undefined,
  { format, ...options }: Options,
  reader?: TextReader,
): Promise<void> {
  const jobs = await planJobs(spec, options, reader);
  rejectUnused(jobs, options);
  const ready: Write[] = [];
  for (const job of jobs) {
    ready.push(await (job.site === null ? prepareJob : prepareSite)(job, reader));
  }
  // All documents are prepared before any file is written: if one is unusable, nothing is written.
  const generated: Generated[] = [];
  for (const write of ready) generated.push(await write());
  const result = generated.length === 1 ? generated[0] : { documents: generated };
  if (format === 'json') process.stdout.write(toJsonText(result));
  else if (generated.length === 0) console.log(NOTHING);
  else for (const each of generated) console.log(describe(each));
}

const NOTHING = 'nothing to generate: no document of the project file has targets';

/** @throws DocumentError if options of the docs target are given but no docs are generated */
function rejectUnused(jobs: readonly Job[], options: JobOptions): void {
  const unused = siteInputs.filter((name) => options[name] !== undefined);
  if (unused.length === 0 || jobs.some(({ site }) => site !== null)) return;
  const names = unused.map((name) => `--${name}`).join(' and ');
  const [apply, them] = unused.length === 1 ? ['applies', 'it'] : ['apply', 'them'];
  throw misuse(
    `${names} ${apply} only to the docs, which are not generated here`,
    `add --target docs, or remove ${them}`,
  );
}

type Write = () => Promise<Generated>;

async function prepareJob(job: Job, reader: TextReader | undefined): Promise<Write> {
  const { out, isWhole } = job;
  const files = await renderJob(job, reader);
  return async () => ({ out, ...(await updateFolder(out, files, { isWhole })) });
}

async function prepareSite(
  { document, out, loading, site }: Job,
  reader: TextReader | undefined,
): Promise<Write> {
  // Loaded on demand: the bundler and the search index are large, and only the docs need them.
  const [{ buildSite }, { writeSite }] = await Promise.all([
    import('../docs/build-site.ts'),
    import('../docs/write-site.ts'),
  ]);
  const progress = createProgress();
  const loaded = await openDocument(document, loading, reader);
  // The console of a method validates params in the browser.
  warnOfSlowPatterns(loaded);
  refuseHugeSites(loaded.model, document);
  const source = baseNameOf(document);
  const files = await buildSite(loaded.model, {
    source,
    omissions: loaded.omissions,
    loadRelease: (path) => openDocument(path, loading),
    onStep: progress.step,
    ...site,
  });
  progress.end();
  return async () => ({ out, ...(await writeSite(out, files)) });
}

/** Maximum number of methods and types of a site; each has a page, and a file takes milliseconds. */
const MAX_PAGES = 5_000;

function refuseHugeSites({ methods, schemas }: Model, document: string): void {
  if (methods.length + schemas.size <= MAX_PAGES) return;
  const message = `${methods.length} methods and ${schemas.size} component schemas are too many for a docs site; at most ${MAX_PAGES} are possible`;
  const fix = 'generate the docs of parts of the document, or remove schemas that are not used';
  throw new DocumentError([unusable(wholeFile(document), { message, fix })]);
}

function describe({ out, written, unchanged, removed, orphaned }: Generated): string {
  return [
    ...written.map((path) => `written   ${out}/${path}`),
    ...removed.map((path) => `removed   ${out}/${path}`),
    ...orphaned.map(
      (path) => `orphaned  ${out}/${path} (not written by specgate, or changed since; remove it)`,
    ),
    `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`,
  ]
    .map(visible)
    .join('\n');
}
