import { copyText } from '../../copy.ts';
import { make, makeButton, makeShowAll, newId } from '../../elements.ts';
import { makeTabList } from '../../tab-list.ts';
import { printNode } from '../json.ts';
import type { Violation } from '../validators.ts';
import type { ReadAnswer } from './read-answer.ts';
import { makeTree } from './tree.ts';

/** Longer text is truncated at first, since laying out megabytes blocks the page for seconds. */
const MAX_CHARACTERS = 256 * 1024;

/** Shows a response as a tree and as text, with a button that copies it. */
export function makeViews(
  text: string,
  { node, result, error }: ReadAnswer,
  violations: readonly Violation[],
): HTMLElement {
  if (node === null) return makeText(text);
  const printed = printNode(node);
  const marks = new Map<string, string[]>();
  for (const { pointer, message } of violations) {
    marks.set(pointer, [...(marks.get(pointer) ?? []), message]);
  }
  const tree = make(
    'div',
    { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'Response as a tree' },
    // The other members of a success response have no information.
    makeTree(error === null && result !== undefined ? result.node : node, marks),
  );
  const panel = make('div', { id: newId(), role: 'tabpanel', 'aria-label': 'Response' }, tree);
  const tabs = makeTabList({
    label: 'Response view',
    titles: [error === null ? 'Result' : 'Response', 'Raw'],
    selected: 0,
    panel: panel.id,
    onSelect: (index) => panel.replaceChildren(index === 0 ? tree : makeText(printed)),
  });
  const copy = makeButton('Copy', () => void copyText(copy, () => printed), { class: 'tool' });
  return make('div', {}, make('div', { class: 'ti-row' }, tabs.element, copy), panel);
}

function makeText(text: string): HTMLElement {
  const pre = make(
    'pre',
    { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'Response as text' },
    text.slice(0, MAX_CHARACTERS),
  );
  if (text.length <= MAX_CHARACTERS) return pre;
  const show = (): void => {
    pre.textContent = text;
    pre.focus();
  };
  return make('div', { class: 'ti-cut' }, pre, makeShowAll(text, show, 'tool'));
}
