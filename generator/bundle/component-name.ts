import { decodeUri, joinPointer, splitPointer, valueAt } from '../../common/json/pointer.ts';
import type { Json } from '../../common/json/value.ts';
import { pascalCase } from '../model/casing.ts';
import { createNames } from '../model/names.ts';
import { wordSet } from '../model/reserved.ts';
import type { Place } from './places.ts';

/** Tokens of a pointer that describe structure rather than meaning. */
const STRUCTURE = wordSet(`
  additionalItems additionalProperties allOf anyOf components contentDescriptors contains else if items
  methods not oneOf params patternProperties properties propertyNames schema schemas then`);

/**
 * Creates a function that names new components by their origin: after the last token
 * ("#/definitions/Foo": Foo), after the file ("types/user.json": user), or, for a nested part, after its
 * parents too ("#/components/schemas/Foo/properties/bar": FooBar). A key that is taken is prefixed with
 * the file's name or, if that is taken too, extended as in generator/model/names.ts.
 */
export function createComponentNames(taken: Iterable<string>): (place: Place) => string {
  const names = createNames(
    { kind: 'Schema', reserved: new Set(), casing: 'pascal' },
    new Map([...taken].map((name) => [name, 'Schema'])),
  );
  return ({ source, pointer }) => {
    const file = fileName(source.url);
    // Validation refuses half of a surrogate pair, and would leave out all components for one name.
    const name = (nameOfPointer(source.value, pointer) || file || 'Schema').toWellFormed();
    if (names.take(name)) return name;
    const qualified = pascalCase(`${file} ${name}`);
    return names.take(qualified) ? qualified : names.claim(name);
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
    // An index is replaced with the name of the list element, if it has one.
    const name = (valueAt(document, at) as { readonly name?: unknown } | undefined)?.name;
    return typeof name === 'string' ? [name] : [];
  });
  return words.length === 1 ? words[0]! : pascalCase(words.join(' '));
}

/** Returns "user" for "file:///a/types/user.schema.json". */
function fileName(url: string): string {
  const [, file = ''] = /([^/.]*)[^/]*$/.exec(url.replace(/[?#].*$/, '')) ?? [];
  return decodeUri(file);
}
