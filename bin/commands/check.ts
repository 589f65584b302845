import type { Command } from 'commander';
import { loadModel } from '../../generator/document.ts';
import { readFolder } from '../../generator/files/folder.ts';
import { baseNameOf, createTextReader } from '../../generator/files/text.ts';
import { compareFiles, isClean, type Drift } from '../../generator/output/compare.ts';
import { renderTargets } from '../../generator/output/render.ts';
import { targets } from '../../generator/targets/index.ts';
import { outOption, specArgument } from './document-arguments.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { createProgress } from './progress.ts';
import { exitCodes } from './verb.ts';

interface Options {
  readonly out: string;
  readonly format: OutputFormat;
}

/** `specgate check`: tells whether a folder is what `generate` would write. */
export function register(program: Command): void {
  program
    .command('check')
    .summary('tell whether what was generated still fits the document')
    .description(
      'Compares what was generated with what would be generated now, byte for byte.\n' +
        'Exits with 1 when a file is stale, missing or orphaned, and names it.',
    )
    .addArgument(specArgument())
    .addOption(outOption())
    .addOption(formatOption())
    .addHelpText('after', '\nExample:\n  $ specgate check openrpc.json --out generated')
    .action(check);
}

async function check(spec: string, { out, format }: Options): Promise<void> {
  const progress = createProgress();
  const model = await loadModel(spec, createTextReader({ stdin: process.stdin }));
  const files = await renderTargets(model, targets, {
    source: baseNameOf(spec),
    onStep: progress.step,
  });
  progress.end();
  const drift = compareFiles(files, await readFolder(out));
  const answer = { clean: isClean(drift), files: files.size, ...drift };
  console.log(
    format === 'json' ? JSON.stringify(answer, null, 2) : tell(spec, out, drift, files.size),
  );
  if (!answer.clean) process.exitCode = exitCodes.findings;
}

function tell(spec: string, out: string, drift: Drift, count: number): string {
  if (isClean(drift)) return `${count} files in ${out} fit ${spec}`;
  return [
    ...drift.stale.map((path) => `stale     ${out}/${path}`),
    ...drift.missing.map((path) => `missing   ${out}/${path}`),
    ...drift.orphaned.map((path) => `orphaned  ${out}/${path}`),
    `mend with: specgate generate ${spec} --out ${out}`,
  ].join('\n');
}
