import { format, type FormatConfig } from 'oxfmt';
import { RECENT_LETTERS } from '../model/recent-letters.ts';
import type { Rendered } from '../targets/target.ts';

/** Larger files are left as rendered: formatting them takes seconds. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * Markdown with longer lines is left as rendered: the time to format a line grows with the square of its
 * length, and a title or a summary is one line.
 */
const MAX_MARKDOWN_LINE = 2000;

const STYLE: FormatConfig = { printWidth: 100, singleQuote: true };

const RECENT = new RegExp(String.raw`(?=\p{ID_Continue})[${RECENT_LETTERS}]`, 'u');

/** Files that oxfmt can parse, by extension. JSON is left out because it is already indented. */
const FORMATTED = /\.(?:[cm]?js|css|html|md|ts|ya?ml)$/;

/**
 * Formatting takes most of the time of `generate`, so it is skipped for the code of validators, which is
 * long and already indented, and for copies of our own sources, which are already formatted.
 */
export const AS_RENDERED =
  /(?:^|\/)(?:validators\.js|reference-document\.js|result-size\.js|validators-runtime\/.*|runtime\/(?!facts\.ts$).*)$/;

/** Formatted texts, the least recently used first: `--watch` and `check` format the same texts again. */
const cache = new Map<string, string>();
const MAX_CACHED = 500;

/** Formats the files that oxfmt supports; others stay as they are. */
export async function formatFiles(files: Rendered): Promise<Rendered> {
  const formatted = new Map<string, string>();
  for (const [path, text] of files) {
    formatted.set(path, isFormatted(path, text) ? await formatCached(path, text) : text);
  }
  return formatted;
}

function isFormatted(path: string, text: string): boolean {
  if (!FORMATTED.test(path) || AS_RENDERED.test(path)) return false;
  if (text.length > MAX_CHARACTERS) return false;
  return (
    !path.endsWith('.md') || text.split('\n').every(({ length }) => length <= MAX_MARKDOWN_LINE)
  );
}

async function formatCached(path: string, text: string): Promise<string> {
  const filepath = path.slice(path.lastIndexOf('/') + 1);
  const key = `${filepath}\n${text}`;
  const result = cache.get(key) ?? (await formatText(filepath, text));
  cache.delete(key);
  cache.set(key, result);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
  return result;
}

async function formatText(fileName: string, text: string): Promise<string> {
  // The formatter removes quotes from keys that are identifiers in its version of Unicode.
  const style: FormatConfig = RECENT.test(text) ? { ...STYLE, quoteProps: 'preserve' } : STYLE;
  const { code, errors } = await format(fileName, text, style);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${fileName}: ${error.message}`);
  return code;
}
