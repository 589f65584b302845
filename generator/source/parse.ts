import { createJsonLocator } from './locate-json.ts';
import { createYamlLocator } from './locate-yaml.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';
import type { OnRepeated } from './problems.ts';
import type { Position, Source, SourceText } from './source.ts';

/**
 * Parses JSON or YAML, by the extension (.json, .yaml, .yml) or else by the first character.
 *
 * @throws DocumentError for every syntax error and repeated name, with line and column, unless
 *   `onRepeated` receives the repeated names; which of their values is used is then undefined
 */
export function parseSource(source: SourceText, onRepeated?: OnRepeated): Source {
  const { name, url } = source;
  const text = source.text.replace(/^\uFEFF/, '');
  const [parse, createLocator] = isYaml(name, text)
    ? [parseYaml, createYamlLocator]
    : [parseJson, createJsonLocator];
  const value = parse(source, text, onRepeated);
  let locate: ((pointer: string) => Position) | undefined;
  return {
    name,
    url,
    text,
    value,
    positionOf(pointer) {
      // Created on first use: only diagnostics need positions.
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
