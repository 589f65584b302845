import { createJsonLocator } from './locate-json.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import { createYamlLocator } from './position.ts';
import type { Position, Source, SourceText } from './source.ts';

/**
 * Parses JSON, or YAML where the name (.yaml, .yml) or, when the name does not say, the first
 * character says so.
 *
 * @throws DocumentError naming every syntax error and every name that an object has twice, with line
 *   and column, or where the document is nested too deep
 */
export function parseSource(source: SourceText): Source {
  const text = source.text.startsWith('\uFEFF') ? source.text.slice(1) : source.text;
  const [parse, createLocator] = isYaml(source.name, text)
    ? [parseYaml, createYamlLocator]
    : [parseJson, createJsonLocator];
  const value = parse(source, text);
  let locate: ((pointer: string) => Position) | undefined;
  return {
    name: source.name,
    url: source.url,
    text,
    value,
    // Positions are wanted only once something is wrong, so the text is read for them only then.
    positionOf(pointer: string): Position {
      locate ??= createLocator(text);
      return locate(pointer);
    },
  };
}

function isYaml(name: string, text: string): boolean {
  const path = name.replace(/[?#].*$/, '');
  if (/\.ya?ml$/i.test(path)) return true;
  return !/\.json$/i.test(path) && !/^\s*[{[]/.test(text);
}
