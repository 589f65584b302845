import type { JsonObject } from '../../../common/json/value.ts';
import { ADDS, BREAKS, demo, kind, other, WARNS, type Fragment } from './kind.ts';

/** Returns the members that mark a method as deprecated, with or without an end date. */
const deprecation = (sunset?: string): JsonObject => ({
  deprecated: true,
  ...(sunset === undefined ? {} : { 'x-sunset': sunset }),
});
const removed = (marks: JsonObject): readonly [Fragment, Fragment] => [
  { methods: [demo, { ...other, ...marks }] },
  { methods: [demo] },
];
const deprecated = (sunset?: string): Fragment => ({ method: deprecation(sunset) });
const stability = (level: string): Fragment => ({ method: { 'x-stability': level } });
const PAST = '2020-01-01';
const FUTURE = '2099-01-01';
const LATER = '2100-01-01';

/** Kinds of changes of the lifetime of methods: removal, deprecation, end dates, stability. */
export const lifetimeKinds = [
  kind('method-removed-without-deprecation', BREAKS, {
    title: 'a method was removed without being deprecated first',
    section: 'removed',
    why: 'Every call to it fails, without prior notice.',
    fix: 'bring it back with deprecated: true and an x-sunset date, and remove it after that',
    migration: 'stop calling it; look for a replacement',
    example: removed({}),
    reverse: 'method-added',
  }),
  kind('method-removed-before-sunset', BREAKS, {
    title: 'a deprecated method was removed before its announced date',
    section: 'removed',
    why: 'Callers rely on the announced date.',
    fix: 'bring it back until its x-sunset date',
    migration: 'stop calling it; look for a replacement',
    example: removed(deprecation(FUTURE)),
    reverse: 'method-added',
  }),
  kind('method-removed-deprecated', BREAKS, {
    title: 'a method that was deprecated without a date was removed',
    section: 'removed',
    why: 'The removal was announced without a date.',
    fix: 'bring it back with an x-sunset date, and remove it after that',
    migration: 'stop calling it; use the replacement named in its description',
    example: removed(deprecation()),
    reverse: 'method-added',
  }),
  kind('method-removed-after-sunset', ['info', 'warning', 'minor'], {
    title: 'a deprecated method was removed after its date',
    section: 'removed',
    why: 'The removal was announced for this date.',
    fix: 'ask the remaining callers to migrate',
    migration: 'stop calling it; use the replacement named in its description',
    example: removed(deprecation(PAST)),
    reverse: 'method-added',
  }),
  kind('method-deprecated', ADDS, {
    title: 'a method is deprecated',
    section: 'deprecated',
    why: 'It still works; callers should migrate.',
    fix: 'ask callers to migrate',
    example: [{ method: {} }, deprecated(FUTURE)],
    reverse: 'method-no-longer-deprecated',
  }),
  kind('method-deprecated-without-sunset', WARNS, {
    title: 'a method is deprecated without a date',
    section: 'deprecated',
    why: 'Callers cannot plan their migration, and removing it later breaks them.',
    fix: 'set x-sunset to the last day that it works',
    migration: 'plan to stop using it',
    example: [{ method: {} }, deprecated()],
    reverse: 'method-no-longer-deprecated',
  }),
  kind('method-no-longer-deprecated', ADDS, {
    title: 'a method is no longer deprecated',
    why: 'It works as before.',
    example: [deprecated(), { method: {} }],
    reverse: 'method-deprecated-without-sunset',
  }),
  kind('sunset-moved-earlier', BREAKS, {
    title: 'a method will be removed sooner than announced',
    why: 'Callers planned for the announced date.',
    fix: 'keep the announced date',
    migration: 'migrate sooner',
    example: [deprecated(LATER), deprecated(FUTURE)],
    reverse: 'sunset-moved-later',
  }),
  kind('sunset-moved-later', ADDS, {
    title: 'a method will work longer than announced',
    why: 'Callers have more time.',
    example: [deprecated(FUTURE), deprecated(LATER)],
    reverse: 'sunset-moved-earlier',
  }),
  kind('sunset-added', ADDS, {
    title: 'a deprecated method got an end date',
    section: 'deprecated',
    why: 'Callers now know how long they have.',
    fix: 'ask callers to migrate by then',
    example: [deprecated(), deprecated(FUTURE)],
    reverse: 'sunset-removed',
  }),
  kind('sunset-removed', WARNS, {
    title: 'a deprecated method lost its end date',
    why: 'Callers planned for that date and no longer know how long they have.',
    fix: 'keep the date, or name a later one',
    migration: 'ask how long it will keep working',
    example: [deprecated(FUTURE), deprecated()],
    reverse: 'sunset-added',
  }),
  kind('sunset-in-the-past', BREAKS, {
    title: 'a method got an end date in the past',
    section: 'deprecated',
    why: 'Callers have no time to migrate.',
    fix: 'set a date that gives callers time to migrate',
    migration: 'migrate at once',
    example: [{ method: {} }, deprecated(PAST)],
    reverse: 'method-no-longer-deprecated',
  }),
  kind('sunset-without-deprecation', WARNS, {
    title: 'a method has an end date but is not deprecated',
    section: 'deprecated',
    why: 'Tools look for deprecated: true and ignore the date alone.',
    fix: 'add deprecated: true',
    migration: 'plan to stop using it by then',
    example: [{ method: {} }, { method: { 'x-sunset': FUTURE } }],
    reverse: 'method-no-longer-deprecated',
  }),
  kind('stability-lowered', BREAKS, {
    title: 'a method is less stable than promised',
    why: 'Callers rely on the promised stability.',
    fix: 'keep the stability, or add the less stable version as a new method',
    migration: 'expect changes',
    example: [stability('stable'), stability('beta')],
    reverse: 'stability-raised',
  }),
  kind('stability-raised', ADDS, {
    title: 'a method is more stable than before',
    why: 'The service promises more than before.',
    example: [stability('beta'), stability('stable')],
    reverse: 'stability-lowered',
  }),
];
