import type { JsonObject } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, WARNS, type Kind } from './kind.ts';

const result = { name: 'result', schema: { type: 'string' } };
const demo: JsonObject = { name: 'demo', params: [], result };
const other: JsonObject = {
  name: 'other',
  params: [{ name: 'index', required: true, schema: { type: 'integer' } }],
  result: { name: 'result', schema: { type: 'boolean' } },
};
const deprecated = (method: JsonObject, sunset?: string): JsonObject => ({
  ...method,
  deprecated: true,
  ...(sunset === undefined ? {} : { 'x-sunset': sunset }),
});
const PAST = '2020-01-01';
const FUTURE = '2099-01-01';
const LATER = '2100-01-01';

/** Kinds of changes of how long a method is there, and of how firm it is. */
export const lifetimeKinds: readonly Kind[] = [
  kind('method-removed-without-deprecation', {
    title: 'a method is gone that was never deprecated',
    impact: BREAKS,
    section: 'removed',
    why: 'Every call of it fails, without prior notice.',
    fix: 'bring it back with deprecated: true and an x-sunset date, and remove it after that',
    example: [{ methods: [demo, other] }, { methods: [demo] }],
    reverse: 'method-added',
  }),
  kind('method-removed-before-sunset', {
    title: 'a deprecated method is gone before the date it was promised until',
    impact: BREAKS,
    section: 'removed',
    why: 'Callers rely on the announced date.',
    fix: 'bring it back until its x-sunset date',
    example: [{ methods: [demo, deprecated(other, FUTURE)] }, { methods: [demo] }],
    reverse: 'method-added',
  }),
  kind('method-removed-deprecated', {
    title: 'a method is gone that was deprecated without a date',
    impact: BREAKS,
    section: 'removed',
    why: 'The removal was announced without a date.',
    fix: 'bring it back with an x-sunset date, and remove it after that',
    example: [{ methods: [demo, deprecated(other)] }, { methods: [demo] }],
    reverse: 'method-added',
  }),
  kind('method-removed-after-sunset', {
    title: 'a deprecated method is gone, and its date has passed',
    impact: ['info', 'warning', 'minor'],
    section: 'removed',
    why: 'It was announced, and callers had until the date.',
    fix: 'callers who still call it move on',
    example: [{ methods: [demo, deprecated(other, PAST)] }, { methods: [demo] }],
    reverse: 'method-added',
  }),
  kind('method-deprecated', {
    title: 'a method is deprecated',
    impact: ADDS,
    section: 'deprecated',
    why: 'It still works; callers should migrate.',
    fix: 'callers plan to move on',
    example: [{ method: {} }, { method: { deprecated: true, 'x-sunset': FUTURE } }],
    reverse: 'method-no-longer-deprecated',
  }),
  kind('method-deprecated-without-sunset', {
    title: 'a method is deprecated without a date',
    impact: WARNS,
    section: 'deprecated',
    why: 'Callers cannot plan, and it cannot be removed later without breaking them.',
    fix: 'say until when it works: x-sunset',
    example: [{ method: {} }, { method: { deprecated: true } }],
    reverse: 'method-no-longer-deprecated',
  }),
  kind('method-no-longer-deprecated', {
    title: 'a method is no longer deprecated',
    impact: ADDS,
    section: 'changed',
    why: 'It works as it did.',
    fix: 'nothing',
    example: [{ method: { deprecated: true } }, { method: {} }],
    reverse: 'method-deprecated-without-sunset',
  }),
  kind('sunset-moved-earlier', {
    title: 'a method will go sooner than was promised',
    impact: BREAKS,
    section: 'changed',
    why: 'Callers planned with the date.',
    fix: 'keep the date that was promised',
    example: [
      { method: { deprecated: true, 'x-sunset': LATER } },
      { method: { deprecated: true, 'x-sunset': FUTURE } },
    ],
    reverse: 'sunset-moved-later',
  }),
  kind('sunset-moved-later', {
    title: 'a method will work longer than was promised',
    impact: ADDS,
    section: 'changed',
    why: 'Callers have more time.',
    fix: 'nothing',
    example: [
      { method: { deprecated: true, 'x-sunset': FUTURE } },
      { method: { deprecated: true, 'x-sunset': LATER } },
    ],
    reverse: 'sunset-moved-earlier',
  }),
  kind('sunset-added', {
    title: 'a method that was deprecated already has a date now',
    impact: ADDS,
    section: 'deprecated',
    why: 'Callers know now how long they have.',
    fix: 'callers plan to move on by then',
    example: [
      { method: { deprecated: true } },
      { method: { deprecated: true, 'x-sunset': FUTURE } },
    ],
    reverse: 'sunset-removed',
  }),
  kind('sunset-removed', {
    title: 'a deprecated method has no date any more',
    impact: WARNS,
    section: 'changed',
    why: 'Callers planned with the date, and do not know now how long they have.',
    fix: 'keep the date, or name a later one',
    example: [
      { method: { deprecated: true, 'x-sunset': FUTURE } },
      { method: { deprecated: true } },
    ],
    reverse: 'sunset-added',
  }),
  kind('sunset-in-the-past', {
    title: 'a method was given a date that has passed',
    impact: BREAKS,
    section: 'deprecated',
    why: 'Callers have no time to move on.',
    fix: 'name a date that leaves callers time',
    example: [{ method: {} }, { method: { deprecated: true, 'x-sunset': PAST } }],
    reverse: 'method-no-longer-deprecated',
  }),
  kind('sunset-without-deprecation', {
    title: 'a method was given a date, and is not deprecated',
    impact: WARNS,
    section: 'deprecated',
    why: 'Tools look for deprecated: true; the date alone goes unseen.',
    fix: 'add deprecated: true',
    example: [{ method: {} }, { method: { 'x-sunset': FUTURE } }],
    reverse: 'method-no-longer-deprecated',
  }),
  kind('stability-lowered', {
    title: 'a method is less stable than was promised',
    impact: BREAKS,
    section: 'changed',
    why: 'Callers chose it for the promise.',
    fix: 'keep the stability, or offer the unstable one as a new method',
    example: [{ method: { 'x-stability': 'stable' } }, { method: { 'x-stability': 'beta' } }],
    reverse: 'stability-raised',
  }),
  kind('stability-raised', {
    title: 'a method is more stable than before',
    impact: ADDS,
    section: 'changed',
    why: 'More is promised than before.',
    fix: 'nothing',
    example: [{ method: { 'x-stability': 'beta' } }, { method: { 'x-stability': 'stable' } }],
    reverse: 'stability-lowered',
  }),
];
