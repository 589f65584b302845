import { DocumentError, unusable, wholeFile } from '../../common/diagnostic.ts';
import { Option, type Command } from 'commander';
import { createTextReader, type TextReader } from '../../generator/files/text.ts';
import { updateFolder, type Update } from '../../generator/output/update.ts';
import { loadTargets } from '../../generator/targets/index.ts';
import { docsSummary } from '../../generator/targets/docs/assets.ts';
import {
  allowRemoteOption,
  allowUnresolvedOption,
  configOption,
  outOption,
  specArgument,
  targetOption,
} from './document-arguments.ts';
import { planJobs, type Job, type JobOptions } from './jobs.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { renderJob } from './render-job.ts';
import { generateSite, guideOptions } from './site-job.ts';
import { exitCodes } from './verb.ts';
import { noteFiles, repeatOnChange } from './watch.ts';

interface Options extends JobOptions {
  readonly format: OutputFormat;
  readonly watch?: boolean;
}

interface Generated extends Update {
  readonly out: string;
}

/** `specgate generate`: writes what the targets make of documents. */
export async function register(program: Command): Promise<void> {
  program
    .command('generate')
    .summary('write types, validators, server and client from an OpenRPC document')
    .description(
      'Writes types, validators, method table, errors, server and clients from an\n' +
        'OpenRPC document.\n' +
        'Without SPEC: from every document of the project file.\n\n' +
        `Targets:\n${await listTargets()}\n\n` +
        'Without --target: the TypeScript targets. The docs need a folder of their own.',
    )
    .addArgument(specArgument('openrpc.json, or what the project file lists'))
    .addOption(outOption())
    .addOption(targetOption('write only these targets', ['docs']))
    .addOption(configOption())
    .addOption(allowRemoteOption())
    .addOption(allowUnresolvedOption())
    .addOption(guideOptions.guides())
    .addOption(guideOptions.changelog())
    .addOption(guideOptions.releases())
    .addOption(guideOptions.base())
    .addOption(new Option('-w, --watch', 'write again whenever a file of a document changes'))
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate generate\n' +
        '  $ specgate generate openrpc.json --out generated\n' +
        '  $ specgate generate https://example.org/openrpc.yaml --target types client\n' +
        '  $ specgate generate openrpc.json --target docs --out site --guides guides',
    )
    .action(generate);
}

async function generate(
  spec: string | undefined,
  { watch = false, ...options }: Options,
  command: Command,
): Promise<void> {
  const refuse = (fix: string) => command.error(`error: ${fix}`, { exitCode: exitCodes.unusable });
  if (options.target?.includes('docs') === true && options.target.length > 1) {
    refuse('the docs need a folder of their own: name no other target, and one with --out');
  }
  if (!watch) return generateAll(spec, options);
  if (spec === '-') refuse('standard input cannot be watched: name a file');
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
  refuseUnused(jobs, options);
  const generated: Generated[] = [];
  for (const job of jobs) {
    generated.push(await (job.site === null ? generateJob : generateSite)(job, reader));
  }
  const answer = generated.length === 1 ? generated[0] : { documents: generated };
  if (format === 'json') console.log(JSON.stringify(answer, null, 2));
  else for (const each of generated) console.log(describe(each));
}

/** @throws DocumentError for options of the docs where none are made */
function refuseUnused(jobs: readonly Job[], options: JobOptions): void {
  const unused = (['guides', 'changelog', 'releases', 'base'] as const)
    .filter((name) => options[name] !== undefined)
    .map((name) => `--${name}`);
  if (unused.length === 0 || jobs.some(({ site }) => site !== null)) return;
  const message = `${unused.join(' and ')} ${unused.length === 1 ? 'is' : 'are'} for the docs, which are not made here`;
  const fix = `add --target docs, or leave ${unused.length === 1 ? 'it' : 'them'} out`;
  throw new DocumentError([unusable(wholeFile('specgate'), { message, fix })]);
}

async function generateJob(job: Job, reader: TextReader | undefined): Promise<Generated> {
  const { out, isWhole } = job;
  const files = await renderJob(job, reader);
  return { out, ...(await updateFolder(out, files, { isWhole })) };
}

async function listTargets(): Promise<string> {
  return [...(await loadTargets()), { name: 'docs', summary: docsSummary }]
    .map(({ name, summary }) => `  ${name.padEnd(11)}${summary}`)
    .join('\n');
}

function describe({ out, written, unchanged, removed, orphaned }: Generated): string {
  return [
    ...written.map((path) => `written   ${out}/${path}`),
    ...removed.map((path) => `removed   ${out}/${path}`),
    ...orphaned.map(
      (path) => `orphaned  ${out}/${path} (not written by specgate, or changed since; remove it)`,
    ),
    `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`,
  ].join('\n');
}
