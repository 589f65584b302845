import type { AbsentNulls as NullsOfCheck } from '../../../common/validators-runtime/check.js';
import type { AbsentNulls } from '../../model/absent-nulls.ts';

/** Returns the nulls that mean "absent" as validators take them; undefined when there are none. */
export function nullsForCheck({ members, params }: AbsentNulls): NullsOfCheck | undefined {
  if (members.length === 0 && params.length === 0) return undefined;
  return { members: members.map(({ pointer, members }) => [pointer, members]), params };
}
