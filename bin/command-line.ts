import { DocumentError, describeDiagnostic } from '../common/diagnostic.ts';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { verbs } from './commands/index.ts';
import { exitCodes } from './commands/verb.ts';

/** Runs the command line and tells what goes wrong; the exit code is left in the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await parse(args);
  } catch (error) {
    process.exitCode = reportFault(error);
  }
}

async function parse(args: readonly string[]): Promise<void> {
  const program = new Command('specgate')
    .description('From one OpenRPC document: types, validators, server, client and gateway.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nExample:\n  $ specgate generate openrpc.json --out generated')
    .exitOverride()
    // Descriptions are written in lines of the source; a terminal has lines of its own.
    .configureHelp({ commandDescription: (command) => joinLines(command.description()) })
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'specgate: ')),
    });
  for (const verb of verbs) {
    if (args.includes(verb.name)) await (await verb.load()).register(program);
    else program.command(verb.name).description(verb.summary);
  }
  await program.parseAsync(args, { from: 'user' });
}

/** Joins the lines of each paragraph; lines that are set in, such as those of a list, stay. */
function joinLines(text: string): string {
  return text.replaceAll(/(?<=\S)\n(?=\S)/g, ' ');
}

/**
 * Tells on standard error what went wrong, in lines that say what to do, never a stack; gives the
 * exit code. Everything that goes wrong ends here.
 */
export function reportFault(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.unusable;
  if (error instanceof DocumentError) {
    for (const problem of error.diagnostics) console.error(describeDiagnostic(problem));
    return exitCodes.unusable;
  }
  if (isFileError(error)) {
    const { syscall, path, code } = error;
    // A write of an open file, or of standard output, does not say which.
    const [what, which] = path === undefined ? ['the output', 'space left'] : [path, 'path'];
    console.error(
      `specgate: cannot ${syscall} ${what} (${code}); check the ${which} and permissions`,
    );
    return exitCodes.unusable;
  }
  const { message = String(error), stack } = error instanceof Error ? error : {};
  console.error(`specgate: ${message.split('\n')[0]}`);
  console.error(
    'specgate: this is not your mistake; report it with the command and SPECGATE_DEBUG=1 set',
  );
  if (process.env['SPECGATE_DEBUG'] === '1') console.error(stack);
  return exitCodes.unusable;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return false;
  return 'path' in error || error.syscall === 'write';
}
