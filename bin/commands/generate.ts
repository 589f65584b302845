import { Option, type Command } from 'commander';
import { loadModel } from '../../generator/document.ts';
import { baseNameOf, createTextReader } from '../../generator/files/text.ts';
import { updateFolder, type Update } from '../../generator/output/update.ts';
import { renderTargets } from '../../generator/output/render.ts';
import { targets } from '../../generator/targets/index.ts';
import { outOption, specArgument } from './document-arguments.ts';
import { formatOption, type OutputFormat } from './output-format.ts';
import { createProgress } from './progress.ts';

interface Options {
  readonly out: string;
  readonly target?: readonly string[];
  readonly format: OutputFormat;
}

const names = targets.map(({ name }) => name);

/** `specgate generate`: writes what the targets make of a document. */
export function register(program: Command): void {
  program
    .command('generate')
    .summary('write types, validators, server and client from an OpenRPC document')
    .description(
      'Writes types, validators, method table, errors, server and client from an OpenRPC document.\n\n' +
        `Targets:\n${targets.map(({ name, summary }) => `  ${name.padEnd(11)}${summary}`).join('\n')}`,
    )
    .addArgument(specArgument())
    .addOption(outOption())
    .addOption(new Option('-t, --target <name...>', 'write only these targets').choices(names))
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  $ specgate generate openrpc.json --out generated\n' +
        '  $ specgate generate https://example.org/openrpc.yaml --target types client',
    )
    .action(generate);
}

async function generate(spec: string, { out, target, format }: Options): Promise<void> {
  const progress = createProgress();
  const model = await loadModel(spec, createTextReader({ stdin: process.stdin }));
  const chosen = targets.filter(({ name }) => target?.includes(name) ?? true);
  const files = await renderTargets(model, chosen, {
    source: baseNameOf(spec),
    onStep: progress.step,
  });
  progress.end();
  const update = await updateFolder(out, files, { isWhole: target === undefined });
  console.log(format === 'json' ? JSON.stringify({ out, ...update }, null, 2) : tell(out, update));
}

function tell(out: string, { written, unchanged, removed, orphaned }: Update): string {
  return [
    ...written.map((path) => `written   ${out}/${path}`),
    ...removed.map((path) => `removed   ${out}/${path}`),
    ...orphaned.map((path) => `orphaned  ${out}/${path} (not written by specgate; remove it)`),
    `${written.length} written, ${unchanged.length} unchanged, ${removed.length} removed`,
  ].join('\n');
}
