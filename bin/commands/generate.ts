import type { Command } from 'commander';
import { updateFolder, type Update } from '../../generator/output/update.ts';
import { targets } from '../../generator/targets/index.ts';
import {
  allowUnresolvedOption,
  configOption,
  outOption,
  specArgument,
  targetOption,
} from './document-arguments.ts';
import { planJobs, type Job, type JobOptions } from './jobs.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { renderJob } from './render-job.ts';

interface Options extends JobOptions {
  readonly format: OutputFormat;
}

interface Generated extends Update {
  readonly out: string;
}

/** `specgate generate`: writes what the targets make of documents. */
export function register(program: Command): void {
  program
    .command('generate')
    .summary('write types, validators, server and client from an OpenRPC document')
    .description(
      'Writes types, validators, method table, errors, server and client from an OpenRPC document.\n' +
        'Without SPEC: from every document of the project file.\n\n' +
        `Targets:\n${targets.map(({ name, summary }) => `  ${name.padEnd(11)}${summary}`).join('\n')}`,
    )
    .addArgument(specArgument('openrpc.json, or what the project file lists'))
    .addOption(outOption())
    .addOption(targetOption('write only these targets'))
    .addOption(configOption())
    .addOption(allowUnresolvedOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate generate\n' +
        '  $ specgate generate openrpc.json --out generated\n' +
        '  $ specgate generate https://example.org/openrpc.yaml --target types client',
    )
    .action(generate);
}

async function generate(spec: string | undefined, { format, ...options }: Options): Promise<void> {
  const generated: Generated[] = [];
  for (const job of await planJobs(spec, options)) generated.push(await generateJob(job));
  const answer = generated.length === 1 ? generated[0] : { documents: generated };
  if (format === 'json') console.log(JSON.stringify(answer, null, 2));
  else for (const each of generated) console.log(tell(each));
}

async function generateJob(job: Job): Promise<Generated> {
  const { out, isWhole } = job;
  const files = await renderJob(job);
  return { out, ...(await updateFolder(out, files, { isWhole })) };
}

function tell({ out, written, unchanged, removed, orphaned }: Generated): string {
  return [
    ...written.map((path) => `written   ${out}/${path}`),
    ...removed.map((path) => `removed   ${out}/${path}`),
    ...orphaned.map((path) => `orphaned  ${out}/${path} (not written by specgate; remove it)`),
    `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`,
  ].join('\n');
}
