import { jsonText } from '../../../samples/json-text.ts';
import { siteUrl } from '../../site-config.ts';
import { make } from '../elements.ts';
import type { ErrorData } from '../method-data.ts';
import type { Failure } from '../send/outcome.ts';
import { explain, isObject, type RpcError } from './explain.ts';

/** An error with its cause and what to do, and what a revert says. */
export function makeErrorCard(error: RpcError, rows: readonly ErrorData[]): HTMLElement {
  const { cause, mend, when, row, revert } = explain(error, rows, Date.now());
  const violations = isObject(error.data) ? error.data['violations'] : undefined;
  const told = Array.isArray(violations)
    ? violations.map((each) => String(each?.message ?? ''))
    : [];
  return card(
    [
      make('code', { class: 'ti-code' }, jsonText(error.code)),
      ' ',
      revert === null ? error.message : `Reverted: ${revert.reason}`,
    ],
    [
      told.length > 1 ? make('ul', {}, ...told.map((text) => make('li', {}, text))) : null,
      paragraph(cause, 'Cause'),
      paragraph(mend, 'What to do'),
      when === null ? null : make('p', {}, when),
      revert === null || revert.words.length === 0
        ? null
        : make(
            'div',
            {},
            make('p', {}, 'Arguments, 32 bytes each; the ABI of the contract tells what they are:'),
            make(
              'ul',
              { class: 'ti-words' },
              ...revert.words.map((word) => make('li', {}, make('code', {}, word))),
            ),
          ),
      revert === null
        ? null
        : make('p', { class: 'ti-raw-data' }, 'Raw data: ', make('code', {}, String(error.data))),
      row === null
        ? null
        : make(
            'p',
            {},
            make('a', { href: siteUrl(`errors.html#${row.name}`) }, 'About this error'),
          ),
    ],
  );
}

/** That there was no answer, why, and what to do. */
export function makeFailureCard({ cause, mend }: Failure): HTMLElement {
  return card(['No answer'], [make('p', {}, cause), make('p', {}, mend)]);
}

/** Something of the page's own that went wrong. */
export function makeNotice(title: string, text: string): HTMLElement {
  return card([title], [make('p', {}, text)]);
}

function card(title: readonly (Node | string)[], parts: readonly (Node | null)[]): HTMLElement {
  return make(
    'div',
    { class: 'ti-error' },
    make('p', { class: 'ti-error-title' }, ...title),
    ...parts,
  );
}

function paragraph(text: string | null, label: string): HTMLElement | null {
  if (text === null) return null;
  return make('p', {}, make('strong', {}, `${label}: `), text.replaceAll('`', ''));
}
