import type { SearchRecord } from '../page.ts';
import { textOf } from './type-label.ts';
import type { SchemaView } from './view.ts';

interface Where {
  /** With extension. */
  readonly page: string;
  readonly kind: string;
  readonly context: string;
}

/** What the search finds of a parameter or result: itself and each field below it, once. */
export function recordsOfFields(view: SchemaView, where: Where): readonly SearchRecord[] {
  return collect(view, where, []);
}

function collect(view: SchemaView, where: Where, path: readonly string[]): readonly SearchRecord[] {
  const isNamed = view.isRequired || view.isOptional;
  const here = isNamed ? [...path, view.name] : path;
  const own: SearchRecord = {
    url: where.page + view.href,
    title: here.join('.'),
    kind: where.kind,
    context: where.context,
    text: `${textOf(view.type)}. ${view.text} ${view.choices.join(' ')}`,
  };
  const below = view.groups.flatMap(({ items }) =>
    items.flatMap((item) => collect(item, where, here)),
  );
  return isNamed && view.href !== '' ? [own, ...below] : below;
}
