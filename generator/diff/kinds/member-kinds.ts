import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, INFORMS, kind, WARNS, WARNS_BREAKS_SOURCE, type Fragment } from './kind.ts';

const object = (properties: Json): Json => ({ type: 'object', properties });
const open = object({ a: { type: 'string' } });
const more = object({ a: { type: 'string' }, b: { type: 'string' } });
const closed = (schema: Json): Json => ({ ...(schema as object), additionalProperties: false });
const lookAhead = (length: number): Json => ({ type: 'string', pattern: `^(?=.*a).{${length}}$` });

const undecided = <Direction extends 'request' | 'response'>(
  direction: Direction,
  what: string,
  wrap: (schema: Json) => Fragment,
) =>
  kind(`${direction}-schema-undecided`, WARNS, {
    title: `it is undecided ${what}`,
    why: 'Patterns with lookahead, formats that only some validators check, and very complex schemas cannot be compared with certainty.',
    fix: 'compare the two by hand, and approve the change with a reason',
    migration: 'compare the two schemas, and check whether you are affected',
    example: [wrap(lookAhead(8)), wrap(lookAhead(9))],
  });

/** Kinds of changes of members, and of schemas as a whole. */
export const memberKinds = [
  kind('request-property-added', ADDS, {
    title: 'a parameter has an additional optional member',
    section: 'added',
    why: 'Existing calls are not affected. (A member of that name that callers sent before, and that was ignored, is now read.)',
    fix: 'nothing: callers can pass it when they need it',
    example: [{ param: open }, { param: more }],
    reverse: 'request-property-removed',
  }),
  kind('request-property-removed', WARNS_BREAKS_SOURCE, {
    title: 'a member of a parameter is no longer described but still accepted',
    section: 'removed',
    why: 'Calls that pass it are accepted but may do something else; generated types no longer have it.',
    fix: 'keep it as deprecated, and ask callers to omit it',
    migration: 'omit the member',
    example: [{ param: more }, { param: open }],
    reverse: 'request-property-added',
  }),
  kind('request-property-disallowed', BREAKS, {
    title: 'a member of a parameter is now rejected',
    section: 'removed',
    why: 'Calls that pass it are rejected.',
    fix: 'keep it as deprecated, and ask callers to omit it',
    migration: 'omit the member',
    example: [{ param: closed(more) }, { param: closed(open) }],
    reverse: 'request-property-added',
  }),
  kind('response-property-added', ADDS, {
    title: 'results have an additional member',
    section: 'added',
    why: 'Results could already have members that are not described; callers who read members by name are not affected.',
    fix: 'nothing: callers can read it when they need it',
    example: [{ result: open }, { result: more }],
    reverse: 'response-property-removed',
  }),
  kind('response-property-added-to-closed', WARNS, {
    title: 'results have an additional member that the old schema forbids',
    section: 'added',
    why: 'Callers who validate results against the old document reject them.',
    fix: 'leave objects in results open (no additionalProperties: false), or ask callers to update their validators first',
    migration: 'handle the new values, and update validators',
    example: [{ result: closed(open) }, { result: closed(more) }],
    reverse: 'response-property-removed',
  }),
  kind('response-property-removed', WARNS_BREAKS_SOURCE, {
    title: 'results no longer have an optional member',
    section: 'removed',
    why: 'It could be missing before, but callers who read it no longer find it; generated types do not have it.',
    fix: 'keep it as deprecated, and ask callers to stop reading it',
    migration: 'stop reading the member',
    example: [{ result: more }, { result: open }],
    reverse: 'response-property-added',
  }),
  kind('response-value-replaced', BREAKS, {
    title: 'all listed values of a result were replaced',
    why: 'Code that handles only the old values no longer handles any result. (If some old values remain, added values are only a warning. Null is not counted.)',
    fix: 'keep returning the former values, or make it a new method',
    migration: 'handle the new values',
    example: [{ result: { enum: ['open', 'closed'] } }, { result: { enum: ['active'] } }],
  }),
  undecided(
    'request',
    'whether a parameter still allows all values that it allowed before',
    (param) => ({ param }),
  ),
  undecided('response', 'whether results stay within the old schema', (result) => ({ result })),
  kind('schema-rewritten', INFORMS, {
    title: 'a schema was rewritten but allows the same values',
    section: 'documentation',
    why: 'Both versions are proved to allow exactly the same values.',
    example: [{ param: { enum: [true, false] } }, { param: { type: 'boolean' } }],
  }),
];
