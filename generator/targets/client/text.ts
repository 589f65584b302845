/** Text of the document inside a TSDoc comment: an `@` that would read as a tag is escaped. */
export function escapeTags(text: string): string {
  return text.replaceAll(/^(\s*)@/gm, '$1\\@').replaceAll('{@', '{\\@');
}

/** Text of the document as the one line a block tag or a table's cell has. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Text of the document as a cell of a Markdown table: code spans stay, other HTML is shown as it is. */
export function asCell(text: string): string {
  return onOneLine(text)
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('')
    .replaceAll('|', '\\|');
}
