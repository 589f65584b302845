import { writeFile } from 'node:fs/promises';
import { escapeJson } from '../../common/escape/json.ts';
import { visible } from '../../common/escape/text.ts';
import { printBigInts } from '../../common/json/exact.ts';
import {
  BrokenPartsError,
  describeDiagnostic,
  DocumentError,
  unusable,
  wholeFile,
} from '../../common/diagnostic.ts';

export const exitCodes = { clean: 0, findings: 1, unusable: 2 } as const;

/**
 * Prints a message on one line of standard error. Hidden characters are escaped: names come from documents
 * and folders, and must not control the terminal or a CI runner.
 */
export function warn(message: string): void {
  console.error(visible(message));
}

/** Prints the diagnostics of an unusable document and returns the exit code. */
export function reportDocumentError(error: DocumentError): number {
  if (!(error instanceof BrokenPartsError)) {
    for (const each of error.diagnostics) warn(describeDiagnostic(each));
    return exitCodes.unusable;
  }
  for (const { effect, ...diagnostic } of error.omissions) {
    warn(`${describeDiagnostic(diagnostic)} (with --lenient, ${effect})`);
  }
  return exitCodes.unusable;
}

/** Runs `work`. If a document is usable only without its broken parts, lists these and sets exit code 1. */
export async function reportBrokenParts(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BrokenPartsError)) throw error;
    reportDocumentError(error);
    process.exitCode = exitCodes.findings;
  }
}

/** Returns the examples at the end of a verb's help. */
export function examples(...calls: readonly string[]): string {
  const lines = calls.map((call) => `\n  $ specgate ${call}`);
  return `\nExample${calls.length === 1 ? '' : 's'}:${lines.join('')}`;
}

/** Returns the error for invalid arguments or a combination that is not supported. */
export function misuse(message: string, fix: string): DocumentError {
  return new DocumentError([unusable(wholeFile('specgate'), { message, fix })]);
}

/** Returns a count with its noun: "1 call", "2 calls". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

export function toJsonText(value: unknown): string {
  return `${escapeJson(printBigInts(value, 2) ?? 'null')}\n`;
}

/** Returns a value as JSON on one line. Hidden characters of names and of a server's texts are escaped. */
export function toJsonLine(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

/** Writes a text to a file or, if none is given, to standard output. */
export async function writeText(text: string, file: string | undefined): Promise<void> {
  if (file === undefined) process.stdout.write(text);
  else await writeFile(file, text);
}

/** Shows the current step on one line of standard error if it is a terminal. */
export function createProgress() {
  const write = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2K${text}`);
  };
  return { step: (name: string) => write(`${visible(name)}…`), end: () => write('') };
}
