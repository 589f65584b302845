import { compile } from 'json-schema-to-typescript';
import type { Schema } from '../../json/value.ts';
import { toTypeSchema, type NameOf } from './type-schema.ts';

/** A TypeScript type as text. */
export interface TypeText {
  /** True when `body` is a list of members in braces, so that it can be an interface. */
  readonly isInterface: boolean;
  /** The type without its name and without a comment of its own. */
  readonly body: string;
}

const PLACEHOLDER = 'SpecgateType';

const DECLARATION = new RegExp(`^export (type|interface) ${PLACEHOLDER} (?:= )?([^]*)$`, 'm');

/** The TypeScript type of one schema; `nameOf` says what references are called. */
export async function typeText(schema: Schema, nameOf: NameOf): Promise<TypeText> {
  const { description: _, ...undocumented } = toTypeSchema(schema, nameOf);
  const text = await compile(undocumented as Parameters<typeof compile>[0], PLACEHOLDER, {
    bannerComment: '',
    format: false,
    unknownAny: true,
    maxItems: -1,
  });
  const [, keyword, body = ''] = DECLARATION.exec(text) ?? [];
  return {
    isInterface: keyword === 'interface',
    body: shortenComments(withoutBoundTags(body.trim())),
  };
}

// json-schema-to-typescript notes the bounds of a tuple in a comment; the tuple itself shows them.
function withoutBoundTags(body: string): string {
  return body
    .replaceAll(/^ \* @(?:min|max)Items \d+\n/gm, '')
    .replaceAll(/^ \*\n(?= \*\/)/gm, '')
    .replaceAll('/**\n */\n', '');
}

function shortenComments(body: string): string {
  return body.replaceAll(/^\/\*\*\n \* (.+)\n \*\/$/gm, '/** $1 */');
}
