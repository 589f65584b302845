import { format as formatText, type Options } from 'prettier';
import type { Rendered } from '../targets/target.ts';

/** Beyond this, layout is worth less than the seconds it takes; the text is left as rendered. */
const MAX_CHARACTERS = 1024 * 1024;

const STYLE: Options = { printWidth: 100, singleQuote: true };

const PARSERS: Readonly<Record<string, string>> = {
  cjs: 'babel',
  css: 'css',
  html: 'html',
  js: 'babel',
  json: 'json',
  md: 'markdown',
  mjs: 'babel',
  ts: 'typescript',
  yaml: 'yaml',
  yml: 'yaml',
};

/**
 * What has been laid out in this process: some texts are written to several places, and where files
 * are watched or checked after they were written most are those of a moment ago.
 */
const known = new Map<string, string>();
const MOST_KNOWN = 500;

/** Lays out every file of a kind that has a layout; the others stay as they are. */
export async function formatFiles(files: Rendered): Promise<Rendered> {
  const formatted = new Map<string, string>();
  for (const [path, text] of files) {
    const key = `${path.slice(path.lastIndexOf('/'))}\n${text}`;
    const laidOut = known.get(key) ?? (await formatFile(path, text));
    // The newest last: those that were not asked for longest are the first to go.
    known.delete(key);
    known.set(key, laidOut);
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
    formatted.set(path, laidOut);
  }
  return formatted;
}

async function formatFile(path: string, text: string): Promise<string> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const parser = PARSERS[name.slice(name.lastIndexOf('.') + 1)];
  if (parser === undefined || text.length > MAX_CHARACTERS) return text;
  return formatText(text, {
    ...STYLE,
    // Without a name every text is searched for JSX first, which takes the square of its length.
    filepath: name,
    parser: name === 'package.json' ? 'json-stringify' : parser,
  });
}
