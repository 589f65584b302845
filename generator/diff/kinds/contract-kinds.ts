import type { Json, JsonObject } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, INFORMS, WARNS, type Fragment } from './kind.ts';

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

/** Kinds of changes of prices, forwarding, transports and errors. */
export const contractKinds = [
  kind('credits-raised', BREAKS, {
    title: 'a call costs more credits',
    why: 'The daily balance of an account pays for fewer calls.',
    fix: 'keep the price, or raise the allowances of the plans to match',
    migration: 'budget for the new price; you may need a larger plan',
    example: [credits(80), credits(100)],
    reverse: 'credits-lowered',
  }),
  kind('credits-lowered', ADDS, {
    title: 'a call costs fewer credits',
    why: 'The price does not rise.',
    example: [credits(100), credits(80)],
    reverse: 'credits-raised',
  }),
  kind('forwarding-withdrawn', BREAKS, {
    title: 'calls are no longer forwarded to a partner during an outage',
    why: 'Calls during an outage fail instead of being forwarded.',
    fix: 'keep x-forwarding',
    migration: 'be ready to retry during an outage',
    example: [method('x-forwarding', { partner: true }), { method: {} }],
    reverse: 'forwarding-offered',
  }),
  kind('forwarding-offered', ADDS, {
    title: 'calls may be forwarded to a partner during an outage',
    why: 'Calls that used to fail during an outage may now succeed.',
    example: [{ method: {} }, method('x-forwarding', { partner: true })],
    reverse: 'forwarding-withdrawn',
  }),
  kind('transport-withdrawn', BREAKS, {
    title: 'a method is no longer served over a transport',
    why: 'Calls over it are rejected.',
    fix: 'keep the transport in x-transports.supported',
    migration: 'call it over a remaining transport',
    example: [transports('http', 'websocket'), transports('http')],
    reverse: 'transport-added',
  }),
  kind('transport-added', ADDS, {
    title: 'a method is also served over an additional transport',
    why: 'Calls over other transports are not affected.',
    example: [transports('http'), transports('http', 'websocket')],
    reverse: 'transport-withdrawn',
  }),
  kind('network-family-changed', BREAKS, {
    title: 'a method is served by a different family of networks',
    why: 'The networks that served it no longer serve it.',
    fix: 'keep x-network-family, or make it a new method',
    migration: 'call it on a network of the new family',
    example: [method('x-network-family', 'evm'), method('x-network-family', 'svm')],
  }),
  kind('gas-cap-lowered', BREAKS, {
    title: 'the cap of a quantity was lowered',
    why: 'Values above the cap are lowered, which changes the result.',
    fix: 'keep the cap',
    migration: 'stay within the new cap',
    example: [cap(10), cap(5)],
    reverse: 'gas-cap-raised',
  }),
  kind('gas-cap-raised', ADDS, {
    title: 'the cap of a quantity was raised',
    why: 'Values below the old cap are not affected.',
    example: [cap(5), cap(10)],
    reverse: 'gas-cap-lowered',
  }),
  kind('normalization-changed', WARNS, {
    title: 'the normalization of a parameter changed',
    why: 'Values may reach the node unchanged, or rewritten in a different way.',
    fix: 'keep x-normalize',
    migration: 'pass the value in the form that the schema requires',
    example: [
      { param: { type: 'string', 'x-normalize': { to: 'quantity' } } },
      { param: { type: 'string' } },
    ],
  }),
  kind('not-found-changed', WARNS, {
    title: 'the response for an item that is not found changed',
    why: 'A call that returned null may fail, or a call that failed may return null.',
    fix: 'keep x-not-found',
    migration: 'handle both null and an error where an item is not found',
    example: [method('x-not-found', 'null'), { method: {} }],
  }),
  kind('immutability-withdrawn', WARNS, {
    title: 'results that were final may change',
    why: 'Callers who cache final results may use outdated ones.',
    fix: 'keep x-immutable',
    migration: 'discard results that were cached as final, and do not cache new ones',
    example: [method('x-immutable', true), { method: {} }],
    reverse: 'immutability-promised',
  }),
  kind('immutability-promised', ADDS, {
    title: 'results that could change are now final',
    why: 'Callers may cache them.',
    example: [{ method: {} }, method('x-immutable', true)],
    reverse: 'immutability-withdrawn',
  }),
  kind('method-extension-changed', INFORMS, {
    title: 'an extension of a method changed',
    why: 'Its meaning depends on the tools that read it.',
    fix: 'check the tools that read it',
    example: [method('x-note', 'old'), method('x-note', 'new')],
  }),
  kind('schema-extension-changed', INFORMS, {
    title: 'an extension in a schema changed',
    why: 'Its meaning depends on the tools that read it.',
    fix: 'check the tools that read it',
    example: [
      { param: { type: 'string', 'x-unit': 'wei' } },
      { param: { type: 'string', 'x-unit': 'gwei' } },
    ],
  }),
  kind('method-error-added', ADDS, {
    title: 'a method declares an additional error',
    why: 'Any call may fail; callers who distinguish errors by code have one more code to handle.',
    fix: 'ask callers who distinguish errors by code to handle it',
    example: [{ method: {} }, method('errors', [error()])],
    reverse: 'method-error-removed',
  }),
  kind('method-error-removed', ['info', 'warning', 'minor'], {
    title: 'a method no longer declares an error',
    why: 'Code that handles it is no longer needed; generated types no longer name it.',
    fix: 'let callers know that they can drop the code that handles it',
    migration: 'drop the code that handles it, and regenerate the client',
    example: [method('errors', [error()]), { method: {} }],
    reverse: 'method-error-added',
  }),
  kind('error-code-changed', BREAKS, {
    title: 'the code of an error changed',
    why: 'Callers recognize the error by its code.',
    fix: 'keep the code',
    migration: 'handle the new code as well as the old one',
    example: [shared(), shared({ code: -32002 })],
  }),
  kind('error-message-changed', WARNS, {
    title: 'the message of an error changed',
    why: 'Messages are for people, but some callers match them.',
    fix: 'keep the message, and put new details into data',
    migration: 'use code and reason instead of the message',
    example: [shared(), shared({ message: 'nothing there' })],
  }),
  kind('error-data-changed', WARNS, {
    title: 'the declared data of an error changed',
    why: 'Callers may read the data.',
    fix: 'keep the existing members, and add new ones',
    migration: 'read data in its new form',
    example: [shared({ data: { hint: 'a' } }), shared({ data: 'b' })],
  }),
  kind('error-removed', ['info', 'error', 'minor'], {
    title: 'an error was removed from the catalog',
    why: 'Generated code exports its name, which callers import.',
    fix: 'keep the row as long as callers use the name',
    migration: 'drop the code that handles it, and regenerate the client',
    example: [row(), { document: { 'x-errors': [] } }],
    reverse: 'error-added',
  }),
  kind('error-added', ADDS, {
    title: 'an error was added to the catalog',
    why: 'Any call may fail.',
    example: [{ document: { 'x-errors': [] } }, row()],
    reverse: 'error-removed',
  }),
  kind('error-reason-changed', BREAKS, {
    title: 'the reason of an error changed',
    why: 'Clients distinguish errors with the same code by data.reason.',
    fix: 'keep the reason',
    migration: 'handle the new reason as well as the old one',
    example: [row(), row({ reason: 'overloaded' })],
  }),
  kind('error-status-changed', BREAKS, {
    title: 'the HTTP status of an error changed',
    why: 'Clients and proxies act on the status: some use it to decide whether to retry, others read the body only if the status is 200.',
    fix: 'keep the status',
    migration: 'handle the new HTTP status as well as the old one',
    example: [row(), row({ status: 503 })],
  }),
  kind('error-no-longer-retryable', WARNS, {
    title: 'an error is no longer retryable',
    why: 'A retried call fails again.',
    fix: 'ask callers to stop retrying calls that fail with it',
    migration: 'stop retrying calls that fail with it',
    example: [row(), row({ retryable: false })],
    reverse: 'error-became-retryable',
  }),
  kind('error-became-retryable', ADDS, {
    title: 'an error became retryable',
    why: 'Clients that do not retry such calls are not affected.',
    example: [row({ retryable: false }), row()],
    reverse: 'error-no-longer-retryable',
  }),
  kind('error-became-charged', WARNS, {
    title: 'a call that fails with an error now costs credits',
    why: 'Failures that were free now cost credits.',
    fix: 'keep it free of charge',
    migration: 'budget for its price',
    example: [row(), row({ charged: true })],
    reverse: 'error-no-longer-charged',
  }),
  kind('error-no-longer-charged', ADDS, {
    title: 'a call that fails with an error no longer costs credits',
    why: 'The price does not rise.',
    example: [row({ charged: true }), row()],
    reverse: 'error-became-charged',
  }),
  kind('error-docs-changed', INFORMS, {
    title: 'the documentation of an error changed',
    section: 'documentation',
    why: 'Cause and fix are not sent.',
    example: [row(), row({ cause: 'Far too many calls.' })],
  }),
];
