import { DocumentError } from '../common/diagnostic.ts';
import { Command, CommanderError, Help } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { verbs } from './commands/index.ts';
import { visible } from '../common/escape/text.ts';
import { exitCodes, reportDocumentError, warn } from './commands/verb.ts';

/** Runs the command line, prints errors and sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await parse(args);
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

async function parse(args: readonly string[]): Promise<void> {
  const program = new Command('specgate')
    .description(
      'A spec-first toolchain for JSON-RPC: lint, diff, generate and serve from one OpenRPC document.',
    )
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .addHelpText('after', '\nExample:\n  $ specgate generate openrpc.json --out generated')
    .exitOverride()
    // Descriptions are wrapped at the width of the terminal, not where the source breaks lines.
    .configureHelp({
      commandDescription: (command) => joinLines(command.description()),
      boxWrap: wrapLines,
    })
    .configureOutput({
      outputError: (text, write) => write(visibleError(text)),
    });
  for (const [name, { summary, load }] of Object.entries(verbs)) {
    const command = program.command(name).summary(summary);
    if (args.includes(name)) await (await load()).register(command);
  }
  await program.parseAsync(args, { from: 'user' });
}

/**
 * Returns an error of Commander with hidden characters escaped: it repeats the argument. Only its own
 * suggestion stays on another line.
 */
function visibleError(text: string): string {
  const [end = ''] = /(?:\n\(Did you mean [\w, -]+\?\))?\n?$/.exec(text) ?? [];
  const error = text.slice(0, text.length - end.length).replace(/^error: /, '');
  return `specgate: ${visible(error)}${end}`;
}

/** Joins the lines of each paragraph; indented lines, such as those of a list, stay. */
function joinLines(text: string): string {
  return text.replaceAll(/(?<=\S)\n(?=\S)/g, ' ');
}

/** Wraps a text. Items of a list, which are indented, continue below their description. */
function wrapLines(this: Help, text: string, width: number): string {
  const wrapped = text.split('\n').map((line) => {
    const term = /^ +\S+ +/.exec(line)?.[0] ?? '';
    const wrap = (part: string, space: number): string =>
      Help.prototype.boxWrap.call(this, part, space);
    const rest = wrap(line.slice(term.length), width - term.length);
    return term + rest.replaceAll('\n', `\n${' '.repeat(term.length)}`);
  });
  return wrapped.join('\n');
}

const FILE_FIXES: ReadonlyMap<string | undefined, string> = new Map([
  ['EISDIR', 'this is a folder: pass a file'],
  ['ENOTDIR', 'a part of the path is a file: choose another folder'],
]);

/**
 * Prints an error on standard error, never a stack trace, and returns the exit code. Every error of the
 * command line ends here.
 */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.unusable;
  if (error instanceof DocumentError) return reportDocumentError(error);
  if (isFileError(error)) {
    const { syscall, path, code } = error;
    // A failed write to an open file or standard output has no path.
    const [what, which] = path === undefined ? ['the output', 'space left'] : [path, 'path'];
    const fix = FILE_FIXES.get(code) ?? `check the ${which} and permissions`;
    warn(`specgate: cannot ${syscall} ${what} (${code}); ${fix}`);
    return exitCodes.unusable;
  }
  const { message = String(error), stack } = error instanceof Error ? error : {};
  warn(`specgate: ${message.split('\n')[0]}`);
  console.error(
    'specgate: this is a bug; run the command with SPECGATE_DEBUG=1 and report it with the output',
  );
  if (process.env['SPECGATE_DEBUG'] === '1') console.error(stack);
  return exitCodes.unusable;
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return false;
  return 'path' in error || error.syscall === 'write';
}
