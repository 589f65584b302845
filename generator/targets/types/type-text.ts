import { compile } from 'json-schema-to-typescript';
import { escapeScript } from '../../../common/escape/script.ts';
import type { JsonObject, Schema } from '../../../common/json/value.ts';
import { toTypeSchema, type NameOf } from './type-schema.ts';

/** A TypeScript type as text. */
interface TypeText {
  /** Whether `body` is a list of members in braces, which an interface can have. */
  readonly isInterface: boolean;
  /** The type without name and comment. */
  readonly body: string;
}

const PLACEHOLDER = 'SpecgateType';

const HIDDEN_OWN = 'SpecgateHasOwnProperty';

const DECLARATION = new RegExp(`^export (type|interface) ${PLACEHOLDER} (?:= )?([^]*)$`, 'm');

/** Writes the TypeScript type of one schema; `nameOf` names references. */
export async function typeText(schema: Schema, nameOf: NameOf): Promise<TypeText> {
  const { description: _, ...undocumented } = toTypeSchema(schema, nameOf);
  const compiled = await compile(hideOwn(undocumented), PLACEHOLDER, {
    bannerComment: '',
    format: false,
    unknownAny: true,
    maxItems: -1,
    // References are names by now; one that is left must not be fetched.
    $refOptions: { resolve: { external: false } },
  });
  const text = escapeScript(compiled.replaceAll(HIDDEN_OWN, 'hasOwnProperty'));
  const [, keyword, body = ''] = DECLARATION.exec(text) ?? [];
  return {
    isInterface: keyword === 'interface',
    body: shortenComments(withoutBoundTags(body.trim())),
  };
}

// json-schema-to-typescript calls `hasOwnProperty` on its input, so no object may have its own.
function hideOwn(schema: JsonObject): Parameters<typeof compile>[0] {
  const text = JSON.stringify(schema);
  if (!text.includes('"hasOwnProperty"')) return schema;
  return JSON.parse(text.replaceAll('"hasOwnProperty"', `"${HIDDEN_OWN}"`));
}

// json-schema-to-typescript repeats the bounds of a tuple in a comment. A line within a comment begins with
// " *": without the start of a line, the text "/**" of a document would look like an empty comment, and
// the end of its own comment would be removed.
function withoutBoundTags(body: string): string {
  return body
    .replaceAll(/^ \* @(?:min|max)Items \d+\n/gm, '')
    .replaceAll(/^ \*\n(?= \*\/)/gm, '')
    .replaceAll(/^\/\*\*\n \*\/\n/gm, '');
}

function shortenComments(body: string): string {
  return body.replaceAll(/^\/\*\*\n \* (.+)\n \*\/$/gm, '/** $1 */');
}
