import { copyText } from '../copy-text.ts';
import { make, makeButton, newId } from '../elements.ts';
import { printNode } from '../json/print-node.ts';
import type { MethodData } from '../method-data.ts';
import type { Answer, Outcome } from '../send/outcome.ts';
import { makeTabList } from '../tab-list.ts';
import { checkResult, type Violation } from '../validators.ts';
import { makeErrorCard, makeFailureCard, makeNotice } from './error-card.ts';
import { chargedFor, readAnswer, type ReadAnswer } from './read-answer.ts';
import { makeRaw } from './raw.ts';
import { makeTree } from './tree.ts';

/** What is shown of a call, and what it comes to in a few words. */
export interface ShownAnswer {
  readonly elements: readonly HTMLElement[];
  /** "answered in 12 ms", "error 402", "no answer" */
  readonly summary: string;
  /** What the service found wrong with the params. */
  readonly violations: readonly Violation[];
}

export async function showOutcome(outcome: Outcome, method: MethodData): Promise<ShownAnswer> {
  if (outcome.kind === 'failure') {
    return { elements: [makeFailureCard(outcome)], summary: 'no answer', violations: [] };
  }
  const read = readAnswer(outcome);
  const violations = await brokenBy(read, method.name);
  const facts = factsOf(outcome, { read, violations, method });
  const note = outcome.note === null ? null : make('p', { class: 'ti-note' }, outcome.note);
  const elements = [
    note,
    make('ul', { class: 'badges', 'aria-label': 'Facts of the answer' }, ...facts),
    read.error === null ? null : makeErrorCard(read.error, method.errors),
    read.fault === null
      ? null
      : makeNotice(
          'This is no answer to the call',
          `${read.fault} Something between this page and the service may have answered.`,
        ),
    violations === null || violations.length === 0 ? null : makeViolations(violations),
    outcome.text === '' && read.fault === null
      ? make('p', { class: 'ti-hint' }, 'Sent. A notification is never answered.')
      : makeViews(outcome.text, read, violations ?? []),
  ];
  return {
    elements: elements.filter((element) => element !== null),
    summary: summaryOf(outcome, read),
    violations: violationsOf(read),
  };
}

async function brokenBy(
  { result }: ReadAnswer,
  method: string,
): Promise<readonly Violation[] | null> {
  if (result === undefined) return null;
  // Without validators the answer is still worth showing.
  return checkResult(method, result.value).catch(() => null);
}

interface Facts {
  readonly read: ReadAnswer;
  readonly violations: readonly Violation[] | null;
  readonly method: MethodData;
}

function factsOf(answer: Answer, { read, violations, method }: Facts): readonly HTMLElement[] {
  const badge = (text: string, kind = ''): HTMLElement =>
    make('li', { class: `badge ${kind}` }, text);
  const { status, connectMs, latencyMs, text } = answer;
  const charged = chargedFor(answer, read, method);
  const forwarded = answer.headers.get('x-forwarded-to');
  return [
    read.error === null && read.fault === null ? badge('OK', 'good') : badge('Error', 'warn'),
    badge(status === null ? 'WebSocket' : `HTTP ${status}`),
    badge(
      connectMs === null
        ? milliseconds(latencyMs)
        : `${milliseconds(latencyMs)}, connected in ${milliseconds(connectMs)}`,
    ),
    ...(text === '' ? [] : [badge(sizeOf(text))]),
    ...(charged === null
      ? []
      : [badge(charged === 1 ? '1 credit' : `${charged.toLocaleString('en')} credits`, 'credits')]),
    ...(forwarded === null ? [] : [badge(`forwarded to ${forwarded}`)]),
    ...(violations === null
      ? []
      : [
          violations.length === 0
            ? badge('as documented', 'good')
            : badge('not as documented', 'warn'),
        ]),
  ];
}

function makeViolations(violations: readonly Violation[]): HTMLElement {
  return make(
    'div',
    { class: 'ti-error' },
    make('p', { class: 'ti-error-title' }, 'The result is not as the document says'),
    make('ul', {}, ...violations.map(({ message }) => make('li', {}, message))),
  );
}

/** The answer as a tree and as text, and a button that copies it. */
function makeViews(
  text: string,
  { node, result, error }: ReadAnswer,
  violations: readonly Violation[],
): HTMLElement {
  const id = newId();
  if (node === null) return makeRaw(text);
  const printed = printNode(node);
  // The envelope says nothing new around a result.
  const shown = error === null && result !== undefined ? result.node : node;
  const marks = new Map<string, string[]>();
  for (const { pointer, message } of violations) {
    marks.set(pointer, [...(marks.get(pointer) ?? []), message]);
  }
  const tree = make(
    'div',
    { class: 'code', tabindex: 0, role: 'region', 'aria-label': 'Answer as a tree' },
    makeTree(shown, marks),
  );
  const panel = make('div', { id, role: 'tabpanel', 'aria-label': 'Answer' }, tree);
  const tabs = makeTabList({
    label: 'Show the answer',
    titles: [error === null ? 'Result' : 'Answer', 'Raw'],
    selected: 0,
    panel: id,
    onSelect: (index) => panel.replaceChildren(index === 0 ? tree : makeRaw(printed)),
  });
  const copy = makeButton('Copy', () => void copyText(copy, printed), { class: 'tool' });
  return make('div', {}, make('div', { class: 'ti-row' }, tabs.element, copy), panel);
}

function violationsOf({ error }: ReadAnswer): readonly Violation[] {
  const data = error?.data as { violations?: unknown } | null | undefined;
  const found = typeof data === 'object' ? data?.violations : undefined;
  if (!Array.isArray(found)) return [];
  return (found as Partial<Violation>[]).flatMap(({ pointer, message }) =>
    typeof pointer === 'string' && typeof message === 'string' ? [{ pointer, message }] : [],
  );
}

function summaryOf({ latencyMs }: Answer, { error, fault }: ReadAnswer): string {
  if (error !== null) return `error ${String(error.code)}`;
  return fault === null ? `answered in ${milliseconds(latencyMs)}` : 'no answer to the call';
}

function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value).toLocaleString('en')} ms`;
}

function sizeOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
