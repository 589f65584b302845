import { codeSpan, descriptionLine, inlineMarkdown } from '../../../../common/escape/markdown.ts';
import { onOneLine } from '../../../../common/escape/text.ts';
import type { SearchRecord } from '../page.ts';
import type { SchemaView } from './view.ts';
import { textOf } from './type-label.ts';

/** Writes a parameter or field, and the fields below it, as a Markdown list. */
export function schemaMarkdown(view: SchemaView, depth = 0): string {
  const indent = '  '.repeat(depth);
  const marks = (view.isRequired ? ', required' : '') + (view.isDeprecated ? ', deprecated' : '');
  const facts = [
    ...view.facts.map(({ label, value }) => `${inlineMarkdown(label)}: ${codeSpan(value)}`),
    ...(view.choices.length > 0 ? [`values: ${view.choices.map(codeSpan).join(', ')}`] : []),
  ];
  const line = [
    `${indent}- ${codeSpan(view.name)} (${inlineMarkdown(textOf(view.type))}${marks})`,
    view.text === '' ? '' : `: ${descriptionLine(view.text)}`,
    facts.length === 0 ? '' : ` [${facts.join('; ')}]`,
  ].join('');
  const groups = view.groups.flatMap(({ heading, items }) => {
    const deeper = heading === '' ? depth + 1 : depth + 2;
    const list = items.map((item) => schemaMarkdown(item, deeper));
    return heading === '' ? list : [`${indent}  - ${heading}:`, ...list];
  });
  return [line, ...groups].join('\n');
}

/** Converts Markdown to plain text on one line. */
export function plainLine(text: string): string {
  const bare = text
    .replaceAll(/<!--[^]*?(?:-->|$)|<br>/g, ' ')
    .replaceAll(/^(?:```|~~~).*$|^\|[-| :]+\|$|^[\t ]*(?:[-*>]|\d+\.) /gm, '')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[`*|]+/g, ' ');
  return onOneLine(bare);
}

interface Location {
  /** Path with extension. */
  readonly page: string;
  readonly kind: string;
  readonly context: string;
}

/**
 * Returns search records for a parameter or result and for each field below it. Fields of a component
 * have their records on the page of the component only.
 */
export function recordsOfFields(
  view: SchemaView,
  location: Location,
  path: readonly string[] = [],
): readonly SearchRecord[] {
  if (view.isShared) return [];
  const { page, kind, context } = location;
  const isNamed = view.isRequired || view.isOptional;
  const here = isNamed ? [...path, view.name] : path;
  const below = view.groups.flatMap(({ items }) =>
    items.flatMap((item) => recordsOfFields(item, location, here)),
  );
  if (!isNamed || view.href === '') return below;
  const text = `${textOf(view.type)}. ${view.text} ${view.choices.join(' ')}`;
  return [{ url: page + view.href, title: here.join('.'), kind, context, text }, ...below];
}
