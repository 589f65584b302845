import type { ReportRule } from '../report/report.ts';
import { messageChecks } from './message-checks.ts';
import { responseChecks } from './response-checks.ts';

/** Checks of several answers together; their phases find them. */
export const comparisonChecks = [
  {
    id: 'fixture-answer',
    title: 'Recorded requests get the recorded response',
    help: 'The answer to a request of `--fixtures` differs from the recorded one.',
  },
  {
    id: 'transports-agree',
    title: 'HTTP and WebSocket give the same answers',
    help: 'The same call got an answer of another kind over the other transport.',
  },
  {
    id: 'default-applied',
    title: 'Omitted values count as their default',
    help: 'A call with the default that the document states got another answer than without it.',
  },
  {
    id: 'link-found',
    title: 'Links lead to values',
    help: 'A call made from an earlier result by a link of the document got null or an error.',
  },
] as const;

/** All checks as rules of a report. */
export const checkRules: readonly ReportRule[] = [
  ...new Map(
    [...messageChecks, ...responseChecks, ...comparisonChecks].map((check) => [check.id, check]),
  ).values(),
].map(({ id, title, help }) => ({ id, title, help, severity: 'error' }));
