import type { core } from 'zod';
import { joinPointer } from '../../common/json/pointer.ts';
import type { Complaint } from './complaint.ts';

/** What a schema of zod has against a value, as complaints; `missing` where a value is not there. */
export function complaintsOf(issue: core.$ZodIssue): readonly Complaint[] {
  const pointer = issue.path.reduce<string>((at, key) => joinPointer(at, String(key)), '');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      what: `there is no setting "${key}" here`,
      fix: 'remove it, or correct its name',
      pointer: joinPointer(pointer, key),
    }));
  }
  const told = issue.message.replace(/^Invalid (?:input|option): /, '');
  if (issue.code === 'invalid_type' && told.endsWith('received undefined')) {
    return [{ what: `missing (${told.replace(/, received.*$/, '')})`, fix: 'add it', pointer }];
  }
  const what = told.charAt(0).toLowerCase() + told.slice(1);
  return [{ what, fix: 'correct the setting', pointer }];
}
