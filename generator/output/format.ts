import { format, type Options } from 'prettier';
import type { Rendered } from '../targets/target.ts';

/** Larger files are left as rendered: formatting them takes seconds. */
const MAX_CHARACTERS = 1024 * 1024;

const STYLE: Options = { printWidth: 100, singleQuote: true };

/** The files whose parser prettier chooses by name. */
const FORMATTED = /\.(?:[cm]?js|css|html|json|md|ts|ya?ml)$/;

/** Formatted texts, the last used ones last: `--watch` and `check` format the same texts again. */
const cache = new Map<string, string>();
const MAX_CACHED = 500;

/** Formats the files that prettier supports; others stay as they are. */
export async function formatFiles(files: Rendered): Promise<Rendered> {
  const formatted = new Map<string, string>();
  for (const [path, text] of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const key = `${name}\n${text}`;
    const result = cache.get(key) ?? (await formatFile(name, text));
    cache.delete(key);
    cache.set(key, result);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    formatted.set(path, result);
  }
  return formatted;
}

async function formatFile(name: string, text: string): Promise<string> {
  if (!FORMATTED.test(name) || text.length > MAX_CHARACTERS) return text;
  return format(text, { ...STYLE, filepath: name });
}
