import { LineCounter, parseDocument, type Document } from 'yaml';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { locate } from './position.ts';
import type { Position, Source, SourceText } from './source.ts';

/**
 * Parses JSON, or YAML where the name (.yaml, .yml) or, for want of a telling name, the first
 * character says so.
 *
 * @throws DocumentError naming every syntax error and every name that an object has twice, with line
 *   and column, or where the document is nested too deep
 */
export function parseSource(source: SourceText): Source {
  const text = source.text.startsWith('\uFEFF') ? source.text.slice(1) : source.text;
  const value = isYaml(source.name, text) ? parseYaml(source, text) : parseJson(source, text);
  let tree: Document | undefined;
  const lines = new LineCounter();
  return {
    name: source.name,
    url: source.url,
    text,
    value,
    // Positions are wanted only once something is wrong, so the text is parsed for them only then.
    positionOf(pointer: string): Position {
      tree ??= parseDocument(text, { lineCounter: lines, uniqueKeys: false, logLevel: 'silent' });
      return locate(tree, pointer, lines);
    },
  };
}

function isYaml(name: string, text: string): boolean {
  const path = name.replace(/[?#].*$/, '');
  if (/\.ya?ml$/i.test(path)) return true;
  return !/\.json$/i.test(path) && !/^\s*[{[]/.test(text);
}
