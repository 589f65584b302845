import { escapeJson } from './json.ts';
import { linesOf } from './text.ts';

/** TypeScript and JavaScript. */

/** What would end a script element that code is pasted into (HTML, 4.12.1.3), within a string. */
const ELEMENT_END = /<(?=\/script|!--)/giu;

/**
 * Code whose strings were written by JSON.stringify, with their hidden characters escaped. Outside
 * strings it may hold anything but line terminators other than line feeds.
 */
export function escapeScript(code: string): string {
  // UTF-16 units, as in JSON: not every tool reads "\u{…}" behind half of a surrogate pair.
  return escapeJson(code).replaceAll(ELEMENT_END, '\\u003c');
}

/** A string as a literal. */
export function scriptString(text: string, quote: "'" | '"' = '"'): string {
  const double = escapeScript(JSON.stringify(text));
  if (quote === '"') return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A name as the key of a member, in an object as in an interface: `__proto__` would set the prototype. */
export function scriptKey(name: string, quote: "'" | '"' = '"'): string {
  const key = scriptString(name, quote);
  return name === '__proto__' ? `[${key}]` : key;
}

/** A member of an object, behind the object: ".name", or '["a name"]' where it is not an identifier. */
export function scriptMember(name: string, quote: "'" | '"' = '"'): string {
  return isScriptName(name) ? `.${name}` : `[${scriptString(name, quote)}]`;
}

/** Whether a name is an identifier of ASCII. */
export function isScriptName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** The lines of a text as a block comment can hold them. */
export function commentLines(text: string): readonly string[] {
  return linesOf(text).map((line) => line.trimEnd().replaceAll('*/', '*\\/'));
}

/** Text of a document within a TSDoc comment: an `@` that would read as a tag is escaped. */
export function escapeTags(text: string): string {
  return linesOf(text)
    .map((line) => line.replace(/^(\s*)@/, '$1\\@').replaceAll('{@', '{\\@'))
    .join('\n');
}

/**
 * A TSDoc comment of `paragraphs` (empty ones left out), with a line break behind it; "" when there
 * is nothing to say.
 */
export function docComment(paragraphs: readonly string[]): string {
  const lines = commentLines(
    paragraphs
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== '')
      .join('\n\n'),
  );
  if (lines.length === 1) return lines[0] === '' ? '' : `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`;
}
