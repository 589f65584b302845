import { joinPointer } from '../../../../common/json/pointer.ts';
import { make, makeButton, makeShowAll } from '../../elements.ts';
import type { JsonNode } from '../json.ts';

/** Deeper levels are collapsed at first. */
const OPEN_LEVELS = 2;

/** Longer lists are drawn in pages; longer texts are truncated at first. */
const PAGE_ITEMS = 100;
const MAX_TEXT_CHARACTERS = 160;

/** Messages by JSON pointer. */
export type Marks = ReadonlyMap<string, readonly string[]>;

/** Draws JSON as a tree, every scalar as written. Collapsed parts are drawn when opened. */
export function makeTree(node: JsonNode, marks: Marks): HTMLElement {
  return make(
    'div',
    { class: 'ti-tree' },
    drawNode({ node, name: null, pointer: '', level: 0 }, marks),
  );
}

interface Place {
  readonly node: JsonNode;
  readonly name: string | null;
  readonly pointer: string;
  readonly level: number;
}

function drawNode({ node, name, pointer, level }: Place, marks: Marks): HTMLElement {
  const key = name === null ? null : make('span', { class: 'ti-key' }, `${name}: `);
  const messages = marks.get(pointer) ?? [];
  const mark =
    messages.length === 0 ? null : make('span', { class: 'ti-mark' }, messages.join(' '));
  if (node.kind === 'scalar') {
    return make('div', { class: 'ti-leaf' }, key, drawScalar(node.text), mark);
  }
  const places: readonly Place[] =
    node.kind === 'array'
      ? node.items.map((item, index) => ({
          node: item,
          name: String(index),
          pointer: `${pointer}/${index}`,
          level: level + 1,
        }))
      : node.members.map(({ name, node }) => ({
          node,
          name,
          pointer: joinPointer(pointer, name),
          level: level + 1,
        }));
  const count = make('span', { class: 'ti-count' }, countOf(node.kind, places.length));
  if (places.length === 0) return make('div', { class: 'ti-leaf' }, key, count, mark);
  const fold = make('details', {}, make('summary', {}, key, count, mark));
  const hasMark = [...marks.keys()].some((marked) => marked.startsWith(`${pointer}/`));
  let isDrawn = false;
  const open = (): void => {
    if (isDrawn || !fold.open) return;
    isDrawn = true;
    const list = make('div', { class: 'ti-branch' });
    drawPage(list, places, marks);
    fold.append(list);
  };
  fold.addEventListener('toggle', open);
  fold.open = level < OPEN_LEVELS || hasMark;
  open();
  return fold;
}

function drawPage(list: HTMLElement, places: readonly Place[], marks: Marks): void {
  list.append(...places.slice(0, PAGE_ITEMS).map((place) => drawNode(place, marks)));
  const rest = places.slice(PAGE_ITEMS);
  if (rest.length === 0) return;
  const more = makeButton(
    rest.length > PAGE_ITEMS
      ? `Show ${PAGE_ITEMS} of ${rest.length} more`
      : `Show ${rest.length} more`,
    () => {
      more.remove();
      drawPage(list, rest, marks);
    },
    { class: 'ti-more' },
  );
  list.append(more);
}

function drawScalar(text: string): HTMLElement {
  const first = text[0]!;
  const kind = first === '"' ? 't-string' : 't-constant';
  const value = make('span', { class: kind });
  if (text.length <= MAX_TEXT_CHARACTERS) {
    value.textContent = text;
    return value;
  }
  value.textContent = `${text.slice(0, MAX_TEXT_CHARACTERS)}…`;
  const show = (): void => void (value.textContent = text);
  return make('span', {}, value, ' ', makeShowAll(text, show, 'ti-more'));
}

function countOf(kind: 'array' | 'object', count: number): string {
  if (kind === 'array') return `[${count === 1 ? '1 item' : `${count} items`}]`;
  return `{${count === 1 ? '1 member' : `${count} members`}}`;
}
