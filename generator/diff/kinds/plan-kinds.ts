import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, INFORMS, WARNS, type Fragment } from './kind.ts';

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

/** Kinds of changes of plans, limits, and extensions of the document. */
export const planKinds = [
  kind('plan-removed', BREAKS, {
    title: 'a plan was removed',
    why: 'Accounts on it no longer have a defined allowance.',
    fix: 'keep it for the accounts that have it',
    migration: 'choose a different plan',
    example: [document('x-plans', [plan(), plan({ name: 'team' })]), document('x-plans', [plan()])],
    reverse: 'plan-added',
  }),
  kind('plan-added', ADDS, {
    title: 'a plan was added',
    why: 'Other plans are not affected.',
    example: [document('x-plans', [plan()]), document('x-plans', [plan(), plan({ name: 'team' })])],
    reverse: 'plan-removed',
  }),
  kind('plan-credits-lowered', BREAKS, {
    title: 'a plan has fewer credits per day',
    why: 'Calls that were within the allowance are rejected.',
    fix: 'keep the allowance for the accounts that have the plan',
    migration: 'plan for the smaller allowance',
    example: [document('x-plans', [plan()]), document('x-plans', [plan({ creditsPerDay: 500 })])],
    reverse: 'plan-credits-raised',
  }),
  kind('plan-credits-raised', ADDS, {
    title: 'a plan has more credits per day',
    why: 'Every account keeps at least what it had.',
    example: [document('x-plans', [plan({ creditsPerDay: 500 })]), document('x-plans', [plan()])],
    reverse: 'plan-credits-lowered',
  }),
  kind('plan-rate-lowered', BREAKS, {
    title: 'a plan allows fewer calls per second',
    why: 'Calls at the old rate are rejected.',
    fix: 'keep the rate for the accounts that have the plan',
    migration: 'call no faster than the new rate',
    example: [document('x-plans', [plan()]), document('x-plans', [plan({ callsPerSecond: 5 })])],
    reverse: 'plan-rate-raised',
  }),
  kind('plan-rate-raised', ADDS, {
    title: 'a plan allows more calls per second',
    why: 'Every account keeps at least what it had.',
    example: [document('x-plans', [plan({ callsPerSecond: 5 })]), document('x-plans', [plan()])],
    reverse: 'plan-rate-lowered',
  }),
  kind('plan-forwarding-withdrawn', BREAKS, {
    title: 'calls on a plan are no longer forwarded',
    why: 'Calls during an outage fail instead of being forwarded.',
    fix: 'keep forwarding for the accounts that have the plan',
    migration: 'be ready to retry during an outage',
    example: [document('x-plans', [plan()]), document('x-plans', [plan({ forwarding: false })])],
    reverse: 'plan-forwarding-offered',
  }),
  kind('plan-forwarding-offered', ADDS, {
    title: 'calls on a plan are forwarded during an outage',
    why: 'Calls that used to fail during an outage may now succeed.',
    example: [document('x-plans', [plan({ forwarding: false })]), document('x-plans', [plan()])],
    reverse: 'plan-forwarding-withdrawn',
  }),
  kind('limit-lowered', BREAKS, {
    title: 'a limit of the service is lower or new',
    why: 'Requests within the old limit are rejected.',
    fix: 'keep the limit',
    migration: 'keep requests within the new limit',
    example: [
      document('x-limits', { batchCalls: 1000 }),
      document('x-limits', { batchCalls: 100 }),
    ],
    reverse: 'limit-raised',
  }),
  kind('limit-raised', ADDS, {
    title: 'a limit of the service is higher or was removed',
    why: 'Requests within the old limit are still accepted.',
    example: [
      document('x-limits', { batchCalls: 100 }),
      document('x-limits', { batchCalls: 1000 }),
    ],
    reverse: 'limit-lowered',
  }),
  kind('extension-declaration-removed', WARNS, {
    title: 'an extension is no longer declared',
    why: 'Tools that rely on the declaration no longer know its allowed values.',
    fix: 'keep it in x-extensions as long as it is used',
    migration: 'check your tools that read the extension',
    example: [document('x-extensions', [declaration()]), document('x-extensions', [])],
    reverse: 'extension-declaration-added',
  }),
  kind('extension-declaration-added', INFORMS, {
    title: 'the declaration of an extension was added',
    why: 'Tools that do not know the extension ignore it.',
    example: [document('x-extensions', []), document('x-extensions', [declaration()])],
    reverse: 'extension-declaration-removed',
  }),
  kind('extension-declaration-changed', WARNS, {
    title: 'the declaration of an extension changed',
    why: 'Tools that read the extension may have to change.',
    fix: 'raise the version of the extension; check the tools that read it',
    migration: 'check your tools that read the extension',
    example: [
      document('x-extensions', [declaration()]),
      document('x-extensions', [declaration({ schema: { type: 'integer' } })]),
    ],
  }),
  kind('document-extension-changed', INFORMS, {
    title: 'an extension of the document changed',
    why: 'Its meaning depends on the tools that read it.',
    fix: 'check the tools that read it',
    example: [document('x-note', 'old'), document('x-note', 'new')],
  }),
];
