import { codeSpan, inlineMarkdown } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import { textOf } from './type-label.ts';
import type { SchemaView } from './view.ts';

/** A parameter or field and what is below it as a list of Markdown. */
export function schemaMarkdown(view: SchemaView, depth = 0): string {
  const indent = '  '.repeat(depth);
  const marks = [
    ...(view.isRequired ? ['required'] : []),
    ...(view.isDeprecated ? ['deprecated'] : []),
  ].map((mark) => `, ${mark}`);
  const facts = [
    ...view.facts.map(({ label, value }) => `${inlineMarkdown(label)}: ${codeSpan(value)}`),
    ...(view.choices.length > 0 ? [`values: ${view.choices.map(codeSpan).join(', ')}`] : []),
  ];
  const line = [
    `${indent}- ${codeSpan(view.name)} (${inlineMarkdown(textOf(view.type))}${marks.join('')})`,
    view.text === '' ? '' : `: ${onOneLine(view.text)}`,
    facts.length === 0 ? '' : ` [${facts.join('; ')}]`,
  ].join('');
  const groups = view.groups.flatMap(({ heading, items }) => {
    const deeper = heading === '' ? depth + 1 : depth + 2;
    const list = items.map((item) => schemaMarkdown(item, deeper));
    return heading === '' ? list : [`${indent}  - ${heading}:`, ...list];
  });
  return [line, ...groups].join('\n');
}

/** Markdown as plain text in one line: without marks, links by their words. */
export function plainLine(text: string): string {
  const bare = text
    .replaceAll(/<!--[^]*?-->|<br>/g, ' ')
    .replaceAll(/^(?:```|~~~).*$|^\|[-| :]+\|$|^\s*(?:[-*>]|\d+\.) /gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]+/g, ' ');
  return onOneLine(bare);
}
