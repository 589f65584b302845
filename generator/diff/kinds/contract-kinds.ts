import type { Json, JsonObject } from '../../../common/json/value.ts';
import {
  ADDS,
  BREAKS,
  kind,
  INFORMS,
  WARNS,
  type Fragment,
  type Impact,
  type Kind,
} from './kind.ts';

const method = (key: string, value: Json): Fragment => ({ method: { [key]: value } });
const credits = (count: number) => method('x-credits', count);
const transports = (...supported: string[]) =>
  method('x-transports', { supported, documented: ['http'] });
const error = (more: object = {}): JsonObject => ({ code: -32001, message: 'not found', ...more });
const shared = (more: object = {}): Fragment => ({
  document: { components: { errors: { NotFound: error(more) } } },
});
const row = (more: object = {}): Fragment => ({
  document: {
    'x-errors': [
      {
        name: 'Busy',
        code: -32005,
        reason: 'busy',
        status: 429,
        message: 'busy',
        charged: false,
        retryable: true,
        cause: 'Too many calls.',
        fix: 'Wait.',
        ...more,
      },
    ],
  },
});
const cap = (times: number): Fragment => ({
  param: { type: 'string', 'x-gas-cap': { timesBlockGasLimit: times } },
});
const NOTHING = 'nothing';

type Words = readonly [id: string, title: string, impact: Impact, why: string, fix: string];

/** A kind for each way of a change. */
function bothWays(worse: Words, better: Words, [good, bad]: readonly [Fragment, Fragment]): Kind[] {
  const make = ([id, title, impact, why, fix]: Words, reverse: string, isWorse: boolean) =>
    kind(id, {
      title,
      impact,
      why,
      fix,
      section: 'changed',
      reverse,
      example: isWorse ? [good, bad] : [bad, good],
    });
  return [make(worse, better[0], true), make(better, worse[0], false)];
}

/** Kinds of changes of what a call costs and where it goes, and of how it may fail. */
export const contractKinds: readonly Kind[] = [
  ...bothWays(
    [
      'credits-raised',
      'a call costs more credits',
      BREAKS,
      'Calls that an account could pay for with its daily balance are refused when it is spent.',
      'keep the price, or raise the allowance of plans with it',
    ],
    ['credits-lowered', 'a call costs fewer credits', ADDS, 'The price does not rise.', NOTHING],
    [credits(80), credits(100)],
  ),
  ...bothWays(
    [
      'forwarding-withdrawn',
      'calls are no longer forwarded to a partner during an outage',
      BREAKS,
      'Calls during an outage, which were answered, fail.',
      'keep x-forwarding',
    ],
    [
      'forwarding-offered',
      'calls may be forwarded to a partner during an outage',
      ADDS,
      'Calls that failed are answered.',
      NOTHING,
    ],
    [method('x-forwarding', { partner: true }), { method: {} }],
  ),
  ...bothWays(
    [
      'transport-withdrawn',
      'a method is no longer served over a transport',
      BREAKS,
      'Calls over it are refused.',
      'keep the transport in x-transports.supported',
    ],
    [
      'transport-added',
      'a method is served over another transport too',
      ADDS,
      'Calls over the others are as they were.',
      NOTHING,
    ],
    [transports('http', 'websocket'), transports('http')],
  ),
  kind('network-family-changed', {
    title: 'a method is served by another kind of network',
    impact: BREAKS,
    section: 'changed',
    why: 'Networks that served it do not any more.',
    fix: 'keep x-network-family, or make it a new method',
    example: [method('x-network-family', 'evm'), method('x-network-family', 'svm')],
    reverse: 'network-family-changed',
  }),
  ...bothWays(
    [
      'gas-cap-lowered',
      'a quantity is capped lower',
      BREAKS,
      'What callers give beyond the cap is lowered, and the answer is another.',
      'keep the cap',
    ],
    [
      'gas-cap-raised',
      'a quantity is capped higher',
      ADDS,
      'Values that were kept are kept.',
      NOTHING,
    ],
    [cap(10), cap(5)],
  ),
  kind('normalization-changed', {
    title: 'a parameter is rewritten otherwise',
    impact: WARNS,
    section: 'changed',
    why: 'Values that were rewritten for the node may reach it as they are, or as others.',
    fix: 'keep what x-normalize rewrites',
    example: [
      { param: { type: 'string', 'x-normalize': { to: 'quantity' } } },
      { param: { type: 'string' } },
    ],
    reverse: 'normalization-changed',
  }),
  kind('not-found-changed', {
    title: 'other errors of nodes are answered as null',
    impact: WARNS,
    section: 'changed',
    why: 'What was null may be an error, or the other way round.',
    fix: 'keep the rows of x-not-found',
    example: [
      method('x-not-found', [{ code: -32000, message: '^not found' }]),
      method('x-not-found', []),
    ],
    reverse: 'not-found-changed',
  }),
  kind('method-extension-changed', {
    title: 'an extension of a method says something else',
    impact: INFORMS,
    section: 'changed',
    why: 'What it means is known to those who read it.',
    fix: 'look at what reads it',
    example: [method('x-note', 'old'), method('x-note', 'new')],
    reverse: 'method-extension-changed',
  }),
  kind('schema-extension-changed', {
    title: 'an extension in a schema says something else',
    impact: INFORMS,
    section: 'changed',
    why: 'What it means is known to those who read it.',
    fix: 'look at what reads it',
    example: [
      { param: { type: 'string', 'x-unit': 'wei' } },
      { param: { type: 'string', 'x-unit': 'gwei' } },
    ],
    reverse: 'schema-extension-changed',
  }),
  ...bothWays(
    [
      'method-error-added',
      'a method declares another error',
      ADDS,
      'Any call may fail; code that handles errors by code has one more to know.',
      'callers handle it where they handle errors by code',
    ],
    [
      'method-error-removed',
      'a method no longer declares an error',
      ['info', 'warning', 'minor'],
      'What handled it is not needed; generated types no longer name it.',
      'callers may drop what handled it',
    ],
    [{ method: {} }, method('errors', [error()])],
  ),
  kind('error-code-changed', {
    title: 'an error has another code',
    impact: BREAKS,
    section: 'changed',
    why: 'Code that handles the error knows it by its code.',
    fix: 'keep the code',
    example: [shared(), shared({ code: -32002 })],
    reverse: 'error-code-changed',
  }),
  kind('error-message-changed', {
    title: 'an error has another message',
    impact: WARNS,
    section: 'changed',
    why: 'Messages are for people; yet callers match on them where codes are few.',
    fix: 'keep the message, and put what is new into data',
    example: [shared(), shared({ message: 'nothing there' })],
    reverse: 'error-message-changed',
  }),
  kind('error-data-changed', {
    title: 'the data that an error is declared with changed',
    impact: WARNS,
    section: 'changed',
    why: 'Callers may read it.',
    fix: 'keep what was there, and add to it',
    example: [shared({ data: { hint: 'a' } }), shared({ data: 'b' })],
    reverse: 'error-data-changed',
  }),
  ...bothWays(
    [
      'error-removed',
      'an error is no longer in the catalog',
      ['info', 'error', 'minor'],
      'Generated code names it; callers import the name.',
      'keep the row as long as callers may have code for it',
    ],
    ['error-added', 'an error was added to the catalog', ADDS, 'Any call may fail.', NOTHING],
    [row(), { document: { 'x-errors': [] } }],
  ),
  kind('error-reason-changed', {
    title: 'an error gives another reason',
    impact: BREAKS,
    section: 'changed',
    why: 'Clients distinguish errors of one code by data.reason.',
    fix: 'keep the reason',
    example: [row(), row({ reason: 'overloaded' })],
    reverse: 'error-reason-changed',
  }),
  kind('error-status-changed', {
    title: 'an error has another HTTP status',
    impact: BREAKS,
    section: 'changed',
    why: 'Clients and proxies act on the status: some retry by it, some read the body only of a 200.',
    fix: 'keep the status',
    example: [row(), row({ status: 503 })],
    reverse: 'error-status-changed',
  }),
  ...bothWays(
    [
      'error-no-longer-retryable',
      'an error cannot be retried any more',
      WARNS,
      'Clients that retry it do so in vain.',
      'callers stop retrying it',
    ],
    [
      'error-became-retryable',
      'an error can be retried',
      ADDS,
      'Clients that do not retry are not affected.',
      NOTHING,
    ],
    [row(), row({ retryable: false })],
  ),
  ...bothWays(
    [
      'error-became-charged',
      'a call that fails so costs credits',
      WARNS,
      'Failures that were free are paid for.',
      'keep it free of charge',
    ],
    [
      'error-no-longer-charged',
      'a call that fails so costs nothing',
      ADDS,
      'The price does not rise.',
      NOTHING,
    ],
    [row(), row({ charged: true })],
  ),
  kind('error-docs-changed', {
    title: 'what is said of an error for readers changed',
    impact: INFORMS,
    section: 'documentation',
    why: 'Cause and fix do not travel.',
    fix: NOTHING,
    example: [row(), row({ cause: 'Far too many calls.' })],
    reverse: 'error-docs-changed',
  }),
];
