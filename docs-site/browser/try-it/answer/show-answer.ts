import { make } from '../../elements.ts';
import type { MethodData } from '../method-data.ts';
import type { Answer, Outcome } from '../send/outcome.ts';
import { checkResult, type Violation } from '../validators.ts';
import { makeCard, makeErrorCard, makeNotice } from './error-card.ts';
import { chargedFor, readAnswer, type ReadAnswer } from './read-answer.ts';
import { makeViews } from './views.ts';

/** The outcome of a call as shown. */
export interface ShownAnswer {
  readonly elements: readonly HTMLElement[];
  /** "response in 12 ms", "error 402", "no response" */
  readonly summary: string;
  /** Violations of the params that the service reports. */
  readonly violations: readonly Violation[];
}

export async function showOutcome(outcome: Outcome, method: MethodData): Promise<ShownAnswer> {
  if (outcome.kind === 'failure') {
    const notice = makeNotice('No response', outcome.cause, outcome.fix);
    return { elements: [notice], summary: 'no response', violations: [] };
  }
  const read = readAnswer(outcome);
  const violations = await checkAnswer(read, method.name);
  const elements = [
    outcome.note === null ? null : make('p', { class: 'ti-note' }, outcome.note),
    make(
      'ul',
      { class: 'badges', 'aria-label': 'Response details' },
      ...makeBadges(outcome, { read, violations, method }),
    ),
    read.error === null ? null : makeErrorCard(read.error, method.errors),
    read.problem === null
      ? null
      : makeNotice(
          'Not a response to this call',
          `${read.problem} It may come from a proxy between this page and the service.`,
        ),
    violations === null || violations.length === 0 ? null : makeViolations(violations),
    outcome.text === '' && read.problem === null
      ? make('p', { class: 'ti-hint' }, 'Sent. Notifications have no response.')
      : makeViews(outcome.text, read, violations ?? []),
  ];
  return {
    elements: elements.filter((element) => element !== null),
    summary: summaryOf(outcome, read),
    violations: reportedViolations(read),
  };
}

async function checkAnswer(
  { result }: ReadAnswer,
  method: string,
): Promise<readonly Violation[] | null> {
  if (result === undefined) return null;
  // The response is shown even if the validators cannot be loaded.
  return checkResult(method, result.value).catch(() => null);
}

interface Details {
  readonly read: ReadAnswer;
  readonly violations: readonly Violation[] | null;
  readonly method: MethodData;
}

function makeBadges(answer: Answer, { read, violations, method }: Details): readonly HTMLElement[] {
  const badge = (text: string, kind = ''): HTMLElement =>
    make('li', { class: `badge ${kind}` }, text);
  const { status, connectMs, latencyMs, text } = answer;
  const charged = chargedFor(answer, read, method);
  const forwarded = answer.headers.get('x-forwarded-to');
  const connected = connectMs === null ? '' : `, connected in ${milliseconds(connectMs)}`;
  const badges = [
    read.error === null && read.problem === null ? badge('OK', 'good') : badge('Error', 'warn'),
    badge(status === null ? 'WebSocket' : `HTTP ${status}`),
    badge(milliseconds(latencyMs) + connected),
    text === '' ? null : badge(sizeOf(text)),
    charged === null ? null : badge(creditsText(charged), 'credits'),
    forwarded === null ? null : badge(`forwarded to ${forwarded}`),
    violations === null
      ? null
      : violations.length === 0
        ? badge('matches the document', 'good')
        : badge('violates the document', 'warn'),
  ];
  return badges.filter((each) => each !== null);
}

export function creditsText(credits: number): string {
  return credits === 1 ? '1 credit' : `${credits.toLocaleString('en')} credits`;
}

function makeViolations(violations: readonly Violation[]): HTMLElement {
  const list = violations.map(({ message }) => make('li', {}, message));
  return makeCard(['The result does not match the document'], [make('ul', {}, ...list)]);
}

function reportedViolations({ error }: ReadAnswer): readonly Violation[] {
  const data = error?.data as { violations?: unknown } | null | undefined;
  const found = typeof data === 'object' ? data?.violations : undefined;
  if (!Array.isArray(found)) return [];
  return (found as Partial<Violation>[]).flatMap(({ pointer, message }) =>
    typeof pointer === 'string' && typeof message === 'string' ? [{ pointer, message }] : [],
  );
}

function summaryOf({ latencyMs }: Answer, { error, problem }: ReadAnswer): string {
  if (error !== null) return `error ${String(error.code)}`;
  return problem === null ? `response in ${milliseconds(latencyMs)}` : 'not a response to the call';
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
