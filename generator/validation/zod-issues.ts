import { type PointerDiagnostic } from '../../common/diagnostic.ts';
import type { core } from 'zod';
import { joinPointer } from '../../common/json/pointer.ts';

/** What a schema of zod has against a value, as diagnostics; `missing` where a value is not there. */
export function diagnosticsOf(issue: core.$ZodIssue): readonly PointerDiagnostic[] {
  const pointer = issue.path.reduce<string>((at, key) => joinPointer(at, String(key)), '');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      message: `there is no setting "${key}" here`,
      fix: 'remove it, or correct its name',
      pointer: joinPointer(pointer, key),
    }));
  }
  const told = issue.message.replace(/^Invalid (?:input|option): /, '');
  if (issue.code === 'invalid_type' && told.endsWith('received undefined')) {
    return [{ message: `missing (${told.replace(/, received.*$/, '')})`, fix: 'add it', pointer }];
  }
  const message = told.charAt(0).toLowerCase() + told.slice(1);
  return [{ message, fix: 'correct the setting', pointer }];
}
