import { escapeJson } from './json.ts';
import { createCommentEscape } from './markdown.ts';
import { linesOf } from './text.ts';

/** Start of text that must not occur in an HTML script element (HTML, section 4.12.1.3). */
const ELEMENT_END = /<(?=\/script|!--)/giu;

/**
 * Escapes hidden characters in code whose strings were written by `JSON.stringify`. Outside of strings
 * the code must have no line terminators other than line feeds.
 */
export function escapeScript(code: string): string {
  return escapeJson(code).replaceAll(ELEMENT_END, '\\u003c');
}

/** Writes a string literal. */
export function scriptString(text: string, quote: "'" | '"' = '"'): string {
  const double = escapeScript(JSON.stringify(text));
  if (quote === '"') return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Writes the key of a member. `__proto__` is computed: as a plain key it would set the prototype. */
export function scriptKey(name: string, quote: "'" | '"' = '"'): string {
  const key = scriptString(name, quote);
  return name === '__proto__' ? `[${key}]` : key;
}

/** Writes a member access: ".name", or '["a name"]' for a name that is not an identifier. */
export function scriptMember(name: string, quote: "'" | '"' = '"'): string {
  return isScriptName(name) ? `.${name}` : `[${scriptString(name, quote)}]`;
}

/** Checks whether a name is an ASCII identifier. */
export function isScriptName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** Returns the lines of a text, escaped for a block comment. */
export function commentLines(text: string): readonly string[] {
  return linesOf(text).map((line) => line.trimEnd().replaceAll('*/', '*\\/'));
}

/** The `@` of a tag, which TypeDoc reads in the middle of a line too. */
const TAG = /(?<![\w.\\])@(?=[a-z])/;

/** Escapes what TSDoc and TypeDoc act on in a text: HTML, links to files, and tags. */
export function commentText(text: string): string {
  return createTextEscape([text])(text);
}

/** Returns a function that escapes the texts of one comment: what is code in one depends on all before it. */
function createTextEscape(texts: readonly string[]): (text: string) => string {
  const escape = createCommentEscape(texts.flatMap(linesOf), TAG);
  // Inline tags are escaped even in code.
  return (text) => linesOf(text).map(escape).join('\n').replaceAll('{@', '{\\@');
}

/** A block tag of TSDoc, such as `@param x -`, and its text. */
export interface Tag {
  readonly name: string;
  readonly text: string;
}

export function deprecatedTag(isDeprecated: boolean): readonly Tag[] {
  return isDeprecated ? [{ name: '@deprecated', text: '' }] : [];
}

/**
 * Writes a TSDoc comment of the non-empty paragraphs, remarks and tags, with a trailing line break; "" if
 * there are none. Texts are escaped, names of tags are not.
 */
export function docComment(
  texts: readonly string[],
  tags: readonly Tag[] = [],
  remarks: readonly string[] = [],
): string {
  const escape = createTextEscape([...texts, ...remarks, ...tags.map(({ text }) => text)]);
  const remarked = joinParagraphs(remarks.map(escape));
  const tagged = tags.map(({ name, text }) => `${name} ${escape(text)}`.trimEnd());
  const paragraphs = [
    ...texts.map(escape),
    remarked === '' ? '' : `@remarks\n${remarked}`,
    tagged.join('\n'),
  ];
  const lines = commentLines(joinParagraphs(paragraphs));
  if (lines.length === 1) return lines[0] === '' ? '' : `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`;
}

function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}
