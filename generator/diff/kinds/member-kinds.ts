import type { Json } from '../../../common/json/value.ts';
import { ADDS, BREAKS, kind, WARNS, WARNS_BREAKS_SOURCE, type Kind } from './kind.ts';

const object = (properties: Json): Json => ({ type: 'object', properties });
const open = object({ a: { type: 'string' } });
const more = object({ a: { type: 'string' }, b: { type: 'string' } });
const closed = (schema: Json): Json => ({ ...(schema as object), additionalProperties: false });
const lookAhead = (length: number): Json => ({ type: 'string', pattern: `^(?=.*a).{${length}}$` });

/** Kinds of changes of schemas that are of members, or of no aspect. */
export const memberKinds: readonly Kind[] = [
  kind('request-property-added', {
    title: 'a member may be given in a parameter',
    impact: ADDS,
    section: 'added',
    why: 'Calls without it are as they were. (A caller who sent a member of that name before, which was ignored, is now read.)',
    fix: 'nothing: callers may give it when they like',
    example: [{ param: open }, { param: more }],
    reverse: 'request-property-removed',
  }),
  kind('request-property-removed', {
    title: 'a member of a parameter is no longer described, and still accepted',
    impact: WARNS_BREAKS_SOURCE,
    section: 'removed',
    why: 'Calls that give it are accepted and no longer do what they did; generated types do not have it.',
    fix: 'keep it, deprecated; callers leave it out',
    example: [{ param: more }, { param: open }],
    reverse: 'request-property-added',
  }),
  kind('request-property-refused', {
    title: 'a member of a parameter is refused',
    impact: BREAKS,
    section: 'removed',
    why: 'Calls that give it are refused.',
    fix: 'keep it, deprecated; callers leave it out',
    example: [{ param: closed(more) }, { param: closed(open) }],
    reverse: 'request-property-added',
  }),
  kind('response-property-added', {
    title: 'results have another member',
    impact: ADDS,
    section: 'added',
    why: 'Results could have members that are not named; callers who read results by name do not see it.',
    fix: 'nothing: callers may read it when they like',
    example: [{ result: open }, { result: more }],
    reverse: 'response-property-removed',
  }),
  kind('response-property-added-to-closed', {
    title: 'results have another member, where no other was to be',
    impact: WARNS,
    section: 'added',
    why: 'The older document says that there is no other member: callers who validate results by it refuse them.',
    fix: 'leave objects in results open (no additionalProperties: false); callers take the new document for their validators first',
    example: [{ result: closed(open) }, { result: closed(more) }],
    reverse: 'response-property-removed',
  }),
  kind('response-property-removed', {
    title: 'results no longer have a member that they could have',
    impact: WARNS_BREAKS_SOURCE,
    section: 'removed',
    why: 'It could be missing before, yet callers who read it do not find it any more; generated types do not have it.',
    fix: 'keep it, deprecated; callers do without',
    example: [{ result: more }, { result: open }],
    reverse: 'response-property-added',
  }),
  kind('response-value-replaced', {
    title: 'a result can have none of the values that were listed',
    impact: BREAKS,
    section: 'changed',
    why: 'Code that handles the listed values handles no result any more. (Where some of them remain, a value that was added is a warning. Null is not counted: results may have it before and after.)',
    fix: 'keep returning the former values, or make it a new method',
    example: [{ result: { enum: ['open', 'closed'] } }, { result: { enum: ['active'] } }],
    reverse: 'response-value-replaced',
  }),
  kind('request-schema-undecided', {
    title: 'it could not be decided whether a parameter allows all that it did',
    impact: WARNS,
    section: 'changed',
    why: 'Patterns with look-ahead, formats that only some validators check, and very complex schemas cannot be compared with certainty. Decide by hand.',
    fix: 'compare the two by hand, and approve the change with a reason',
    example: [{ param: lookAhead(8) }, { param: lookAhead(9) }],
    reverse: 'request-schema-undecided',
  }),
  kind('response-schema-undecided', {
    title: 'it could not be decided whether results are among what they could be',
    impact: WARNS,
    section: 'changed',
    why: 'Patterns with look-ahead, formats that only some validators check, and very complex schemas cannot be compared with certainty. Decide by hand.',
    fix: 'compare the two by hand, and approve the change with a reason',
    example: [{ result: lookAhead(8) }, { result: lookAhead(9) }],
    reverse: 'response-schema-undecided',
  }),
  kind('schema-rewritten', {
    title: 'a schema says the same in other words',
    impact: ['info', 'info', 'patch'],
    section: 'documentation',
    why: 'It was shown that both allow just the same values.',
    fix: 'nothing',
    example: [{ param: { enum: [true, false] } }, { param: { type: 'boolean' } }],
    reverse: 'schema-rewritten',
  }),
];
