import { compile } from 'json-schema-to-typescript';
import { escapeScript } from '../../../common/escape/script.ts';
import type { JsonObject, Schema } from '../../../common/json/value.ts';
import { toTypeSchema, type NameOf } from './type-schema.ts';

/** A TypeScript type as text. */
export interface TypeText {
  /** True when `body` is a list of members in braces, so that it can be an interface. */
  readonly isInterface: boolean;
  /** The type without its name and without a comment of its own. */
  readonly body: string;
}

const PLACEHOLDER = 'SpecgateType';

const HIDDEN_OWN = 'SpecgateHasOwnProperty';

const DECLARATION = new RegExp(`^export (type|interface) ${PLACEHOLDER} (?:= )?([^]*)$`, 'm');

/** The TypeScript type of one schema; `nameOf` says what references are called. */
export async function typeText(schema: Schema, nameOf: NameOf): Promise<TypeText> {
  const { description: _, ...undocumented } = toTypeSchema(schema, nameOf);
  const compiled = await compile(hideOwn(undocumented), PLACEHOLDER, {
    bannerComment: '',
    format: false,
    unknownAny: true,
    maxItems: -1,
  });
  const text = escapeScript(compiled.replaceAll(HIDDEN_OWN, 'hasOwnProperty'));
  const [, keyword, body = ''] = DECLARATION.exec(text) ?? [];
  return {
    isInterface: keyword === 'interface',
    body: shortenComments(withoutBoundTags(body.trim())),
  };
}

// json-schema-to-typescript calls `hasOwnProperty` of each object it is given: none may have its own.
function hideOwn(schema: JsonObject): Parameters<typeof compile>[0] {
  const text = JSON.stringify(schema);
  if (!text.includes('"hasOwnProperty"')) return schema;
  return JSON.parse(text.replaceAll('"hasOwnProperty"', `"${HIDDEN_OWN}"`));
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
