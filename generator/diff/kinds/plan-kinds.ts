import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, INFORMS, WARNS, type Fragment, type Kind } from './kind.ts';
import { pair } from './pair.ts';

const document = (key: string, value: Json): Fragment => ({ document: { [key]: value } });
const plan = (more: object = {}): Json => ({
  name: 'free',
  creditsPerDay: 1000,
  callsPerSecond: 10,
  forwarding: true,
  ...more,
});
const declaration = (more: object = {}): Json => ({
  openrpcExtension: '0.0.0-development',
  name: 'x-note',
  version: '1.0.0',
  restricted: ['methodObject'],
  schema: { type: 'string' },
  ...more,
});

const NOTHING = 'nothing';

/** Kinds of changes of plans, limits, and extensions of the document. */
export const planKinds: readonly Kind[] = [
  ...pair(
    {
      id: 'plan-removed',
      title: 'a plan is gone',
      impact: BREAKS,
      why: 'Accounts on it have nothing to go by.',
      fix: 'keep it for the accounts that have it',
    },
    {
      id: 'plan-added',
      title: 'a plan was added',
      impact: ADDS,
      why: 'Others are as they were.',
      fix: NOTHING,
    },
    [document('x-plans', [plan(), plan({ name: 'team' })]), document('x-plans', [plan()])],
  ),
  ...pair(
    {
      id: 'plan-credits-lowered',
      title: 'a plan has fewer credits a day',
      impact: BREAKS,
      why: 'Calls that were within the allowance are refused when it is spent.',
      fix: 'keep the allowance for the accounts that have the plan',
    },
    {
      id: 'plan-credits-raised',
      title: 'a plan has more credits a day',
      impact: ADDS,
      why: 'No account loses anything.',
      fix: NOTHING,
    },
    [document('x-plans', [plan()]), document('x-plans', [plan({ creditsPerDay: 500 })])],
  ),
  ...pair(
    {
      id: 'plan-rate-lowered',
      title: 'a plan allows fewer calls a second',
      impact: BREAKS,
      why: 'Callers at the former rate are turned away.',
      fix: 'keep the rate for the accounts that have the plan',
    },
    {
      id: 'plan-rate-raised',
      title: 'a plan allows more calls a second',
      impact: ADDS,
      why: 'No account loses anything.',
      fix: NOTHING,
    },
    [document('x-plans', [plan()]), document('x-plans', [plan({ callsPerSecond: 5 })])],
  ),
  ...pair(
    {
      id: 'plan-forwarding-withdrawn',
      title: 'calls on a plan are no longer forwarded',
      impact: BREAKS,
      why: 'Calls during an outage, which were answered, fail.',
      fix: 'keep forwarding for the accounts that have the plan',
    },
    {
      id: 'plan-forwarding-offered',
      title: 'calls on a plan are forwarded during an outage',
      impact: ADDS,
      why: 'Calls that failed are answered.',
      fix: NOTHING,
    },
    [document('x-plans', [plan()]), document('x-plans', [plan({ forwarding: false })])],
  ),
  ...pair(
    {
      id: 'limit-lowered',
      title: 'a limit of the service is lower, or new',
      impact: BREAKS,
      why: 'Requests that were within it are refused.',
      fix: 'keep the limit',
    },
    {
      id: 'limit-raised',
      title: 'a limit of the service is higher, or gone',
      impact: ADDS,
      why: 'Requests that were within it still are.',
      fix: NOTHING,
    },
    [document('x-limits', { batchCalls: 1000 }), document('x-limits', { batchCalls: 100 })],
  ),
  ...pair(
    {
      id: 'extension-declaration-removed',
      title: 'an extension is no longer declared',
      impact: WARNS,
      why: 'Tools that rely on the declaration no longer know what the extension may say.',
      fix: 'keep it in x-extensions as long as it is used',
    },
    {
      id: 'extension-declaration-added',
      title: 'an extension is declared',
      impact: INFORMS,
      why: 'Tools that do not know it pass over it.',
      fix: NOTHING,
    },
    [document('x-extensions', [declaration()]), document('x-extensions', [])],
  ),
  kind('extension-declaration-changed', {
    title: 'an extension is declared otherwise',
    impact: WARNS,
    section: 'changed',
    why: 'Tools that read the extension may have to change.',
    fix: 'raise the version of the extension; look at the tools that read it',
    example: [
      document('x-extensions', [declaration()]),
      document('x-extensions', [declaration({ schema: { type: 'integer' } })]),
    ],
    reverse: 'extension-declaration-changed',
  }),
  kind('document-extension-changed', {
    title: 'an extension of the document says something else',
    impact: INFORMS,
    section: 'changed',
    why: 'What it means is known to those who read it.',
    fix: 'look at what reads it',
    example: [document('x-note', 'old'), document('x-note', 'new')],
    reverse: 'document-extension-changed',
  }),
];
