import { InvalidArgumentError, Option, type Command } from 'commander';
import { severities } from '../../common/diagnostic.ts';
import type { Level, Levels, Settings } from '../../generator/levels/levels.ts';
import type { ResolveEntry } from '../../generator/bundle/resolver.ts';
import { reportFormats, type ReportFormat } from '../../generator/report/render.ts';
import { PACKAGE_NAME } from '../../generator/targets/client-view/package.ts';
import { targetNames } from '../../generator/targets/index.ts';

/** Returns the name and description of the argument for the document. */
export function specArgument(fallback = 'openrpc.json') {
  const description = `OpenRPC document, JSON or YAML: a path, a URL, or - for standard input (default: ${fallback})`;
  return ['[SPEC]', description] as const;
}

export const outOption = new Option(
  '-o, --out <dir>',
  'output folder (default: generated)',
).argParser(readPath);

/** Parses a path. An empty one comes from an unset variable and does not mean the current folder. */
export function readPath(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Expected a path, got an empty string.');
  return text;
}

/** Returns the option for targets: those of the table and `others`. */
export function targetOption(description: string, others: readonly string[] = []): Option {
  return new Option('-t, --target <name...>', description).choices([...targetNames, ...others]);
}

export const packageNameOption = new Option(
  '--package-name <name>',
  'name of the client packages, with or without a scope (default: derived from the title)',
).argParser(readPackageName);

function readPackageName(text: string): string {
  if (PACKAGE_NAME.test(text)) return text;
  throw new InvalidArgumentError(
    'Expected a lower-case npm package name, such as "node-client" or "@acme/node-client".',
  );
}

export const configOption = new Option(
  '-c, --config <file>',
  'project file (default: specgate.config.yaml)',
);

export const allowRemoteOption = new Option(
  '--allow-remote',
  'follow references to any origin (default: only from a downloaded document to its own origin)',
);

export const lenientOption = new Option(
  '--lenient',
  'leave out the broken parts of a document, with a warning for each, instead of failing',
);

/** Returns the option for levels of rules, or of kinds of changes. */
export function ruleOption(noun: string): Option {
  return new Option(
    '--rule <id=level>',
    `set the level of a ${noun}: off, info, warning or error; may be repeated`,
  ).argParser(readRule);
}

function readRule(text: string, previous: Settings = {}): Settings {
  const [id = '', level = ''] = text.split('=', 2);
  if (!['off', ...severities].includes(level)) {
    throw new InvalidArgumentError('Expected id=level with the level off, info, warning or error.');
  }
  return { ...previous, [id]: level as Level };
}

/** Adds the levels of the command line, which apply everywhere, to those of the project. */
export function withRules(levels: Levels, rules: Settings = {}): Levels {
  return { ...levels, overrides: [...(levels.overrides ?? []), { at: '', rules }] };
}

export const resolveOption = new Option(
  '--resolve <path>',
  'folder or file of schemas that the document refers to by their $id, or URL=PATH to read a URL from a local path; may be repeated',
).argParser(readResolve);

function readResolve(text: string, before: readonly ResolveEntry[] = []): readonly ResolveEntry[] {
  const [, url = null, path = text] = /^([a-z][a-z0-9+.-]+:.*)=(.+)$/i.exec(text) ?? [];
  return [...before, { url, path: readPath(path) }];
}

export function readUrl(text: string): string {
  if (URL.canParse(text) && /^(?:https?|wss?):/.test(text)) return text;
  throw new InvalidArgumentError('Expected a URL that starts with http, https, ws or wss.');
}

/** Collects the values of a repeatable option. */
export function readUrls(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, readUrl(text)];
}

export type OutputFormat = 'text' | 'json';

/** Returns the option for the output format; the first one is the default. */
export function formatOption(formats: readonly string[] = ['text', 'json']): Option {
  return new Option('-f, --format <format>', 'output format').choices(formats).default(formats[0]);
}

/** Options of a verb that reports diagnostics. */
export interface ReportOptions {
  readonly format: ReportFormat;
  readonly output?: string;
}

export const reportFormatOption = formatOption(reportFormats);

export const outputOption = new Option(
  '--output <file>',
  'write the report to a file instead of standard output',
);

/** Returns a parser of whole numbers within a range. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

const MAX_PORT = 65_535;

/** Adds the options for the address of a local service. */
export function addAddress(command: Command, port: number): Command {
  const parse = wholeNumber(0, MAX_PORT);
  return command
    .option('-p, --port <n>', 'port to listen on; 0 picks a free port', parse, port)
    .option('--host <address>', 'address to listen on', '127.0.0.1');
}

export type Header = readonly [name: string, value: string];

/** Parses a header of an option that may be repeated. */
export function readHeader(text: string, before: readonly Header[] = []): readonly Header[] {
  const [, name, value] = /^([!#$%&'*+.^`|~\w-]+):([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [...before, [name, value.trim()]];
  throw new InvalidArgumentError('Expected "Name: value", using only characters that HTTP allows.');
}
