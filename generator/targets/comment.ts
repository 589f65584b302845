/**
 * A TSDoc comment of `paragraphs` (empty ones left out), with a line break behind it; "" when there
 * is nothing to say.
 */
export function docComment(paragraphs: readonly string[]): string {
  const lines = paragraphs
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
    .split('\n')
    .map((line) => line.trimEnd().replaceAll('*/', '*\\/'));
  if (lines.length === 1) return lines[0] === '' ? '' : `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`;
}
