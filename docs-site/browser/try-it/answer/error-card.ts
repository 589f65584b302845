import { jsonText } from '../../../../common/samples/json-text.ts';
import { make } from '../../elements.ts';
import { siteUrl } from '../../site-files.ts';
import type { ErrorData } from '../method-data.ts';
import { explain, isObject, type RpcError } from './explain.ts';
import type { Revert } from './revert.ts';

/** Shows an error with its cause and fix, and the reason of a revert. */
export function makeErrorCard(error: RpcError, rows: readonly ErrorData[]): HTMLElement {
  const { cause, fix, when, row, revert } = explain(error, rows, Date.now());
  return makeCard(
    [
      make('code', { class: 'ti-code' }, jsonText(error.code)),
      ' ',
      revert === null ? error.message : `Reverted: ${revert.reason}`,
    ],
    [
      makeViolations(error),
      makeParagraph('Cause', cause),
      makeParagraph('Fix', fix),
      when === null ? null : make('p', {}, when),
      ...(revert === null ? [] : makeRevert(revert, String(error.data))),
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

/** Shows a problem other than an error of the service. */
export function makeNotice(title: string, ...paragraphs: readonly string[]): HTMLElement {
  return makeCard(
    [title],
    paragraphs.map((text) => make('p', {}, text)),
  );
}

/** Lists the violations if there are several; a single one is already in the message of the error. */
function makeViolations({ data }: RpcError): HTMLElement | null {
  const violations = isObject(data) ? data['violations'] : undefined;
  if (!Array.isArray(violations) || violations.length < 2) return null;
  const messages = violations.map((each) => String(each?.message ?? ''));
  return make('ul', {}, ...messages.map((text) => make('li', {}, text)));
}

function makeRevert({ words }: Revert, data: string): readonly HTMLElement[] {
  const raw = make('p', { class: 'ti-raw-data' }, 'Raw data: ', make('code', {}, data));
  if (words.length === 0) return [raw];
  const list = words.map((word) => make('li', {}, make('code', {}, word)));
  return [
    make(
      'div',
      {},
      make('p', {}, 'Arguments, 32 bytes each (see the ABI of the contract):'),
      make('ul', { class: 'ti-words' }, ...list),
    ),
    raw,
  ];
}

export function makeCard(
  title: readonly (Node | string)[],
  parts: readonly (Node | null)[],
): HTMLElement {
  return make(
    'div',
    { class: 'ti-error' },
    make('p', { class: 'ti-error-title' }, ...title),
    ...parts,
  );
}

function makeParagraph(label: string, text: string | null): HTMLElement | null {
  if (text === null) return null;
  return make('p', {}, make('strong', {}, `${label}: `), text.replaceAll('`', ''));
}
