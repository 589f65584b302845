import { joinPointer, splitPointer, valueAt } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';
import { pascalCase } from '../model/casing.ts';
import { createNames } from '../model/names.ts';
import type { Place } from './places.ts';

/** Tokens of a pointer that say how a schema is put together rather than what it is of. */
const STRUCTURE = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'components',
  'contentDescriptors',
  'contains',
  'else',
  'if',
  'items',
  'methods',
  'not',
  'oneOf',
  'params',
  'patternProperties',
  'properties',
  'propertyNames',
  'schema',
  'schemas',
  'then',
]);

/**
 * Gives what becomes a component a key: the last word of where they were ("#/definitions/Foo":
 * Foo), the name of the file they were ("types/user.json": user), or, for a part of something, what
 * it is a part of ("#/components/schemas/Foo/properties/bar": FooBar). A key that is taken is put
 * behind the file's name; failing that, see generator/model/names.ts.
 */
export function createComponentNames(taken: Iterable<string>) {
  const names = createNames(
    { kind: 'Schema', reserved: new Set(), casing: 'pascal' },
    new Map([...taken].map((name) => [name, 'Schema'])),
  );

  return {
    claim({ source, pointer }: Place): string {
      const file = fileName(source.url);
      const name = nameOfPointer(source.value, pointer) || file || 'Schema';
      if (names.take(name)) return name;
      const qualified = pascalCase(`${file} ${name}`);
      return names.take(qualified) ? qualified : names.claim(name);
    },
  };
}

function nameOfPointer(document: Json, pointer: string): string {
  const tokens = splitPointer(pointer);
  const last = tokens.at(-1) ?? '';
  if (['definitions', '$defs'].includes(tokens.at(-2) ?? '')) return last;
  if (tokens[0] === 'components' && tokens.length === 3) return last;
  let at = '';
  const words = tokens.flatMap((token) => {
    at = joinPointer(at, token);
    if (STRUCTURE.has(token)) return [];
    if (!/^\d+$/.test(token)) return [token];
    // An element of a list of the document is called by its name, if it has one.
    const name = (valueAt(document, at) as { readonly name?: unknown } | undefined)?.name;
    return typeof name === 'string' ? [name] : [];
  });
  return words.length === 1 ? words[0]! : pascalCase(words.join(' '));
}

/** "file:///a/types/user.schema.json" gives "user" */
function fileName(url: string): string {
  const file = decodeURIComponent(
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) ?? '',
  );
  return file.split('.')[0] ?? '';
}
