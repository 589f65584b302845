import type { ReportRule } from '../report/report.ts';
import { messageChecks } from './message-checks.ts';
import { responseChecks } from './response-checks.ts';

/** Checks that compare several responses; the phases apply them. */
const comparisonChecks = [
  {
    id: 'fixture-response',
    title: 'Recorded requests get the recorded response',
    help: 'The response to a request of `--fixtures` differs from the recorded one.',
  },
  {
    id: 'transports-agree',
    title: 'HTTP and WebSocket return the same response',
    help: 'The same call got a result over one transport and an error over the other.',
  },
  {
    id: 'immutable-result',
    title: 'Final results do not change',
    help: 'A call got a different result than before with the same params, although the result is final (`x-immutable`).',
  },
  {
    id: 'default-applied',
    title: 'Omitted params take their default',
    help: 'A call without the param got a different response than with its documented default.',
  },
  {
    id: 'link-found',
    title: 'Links resolve to values',
    help: 'A call built from an earlier result with a link of the document got null or an error.',
  },
] as const;

const checks = [...messageChecks, ...responseChecks, ...comparisonChecks];

/** Id of a check of this table; code that reports any other id does not compile. */
export type CheckId = (typeof checks)[number]['id'];

export const checkRules: readonly ReportRule[] = [
  ...new Map(checks.map((check) => [check.id, check])).values(),
].map(({ id, title, help }) => ({ id, title, help, severity: 'error' }));
