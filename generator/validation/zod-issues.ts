import { type PointerDiagnostic } from '../../common/diagnostic.ts';
import type { core } from 'zod';
import { joinPointer } from '../../common/json/pointer.ts';

/** Converts an issue of zod; a missing value is reported as "missing". */
export function diagnosticsOf(issue: core.$ZodIssue): readonly PointerDiagnostic[] {
  const pointer = issue.path.reduce<string>((at, key) => joinPointer(at, String(key)), '');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      message: `unknown setting "${key}"`,
      fix: 'remove it, or correct its name',
      pointer: joinPointer(pointer, key),
    }));
  }
  if (issue.code === 'invalid_key' && issue.issues[0]?.code === 'custom') {
    const { message, params } = issue.issues[0];
    return [{ message, fix: String(params?.['fix'] ?? 'correct the name'), pointer }];
  }
  const reason = issue.message.replace(/^Invalid (?:input|option): /, '');
  if (issue.code === 'invalid_type' && reason.endsWith('received undefined')) {
    return [
      { message: `missing (${reason.replace(/, received.*$/, '')})`, fix: 'add it', pointer },
    ];
  }
  const reworded = reason.replaceAll('"|"', '", "').replace(', received ', ', got ');
  const message = reworded.charAt(0).toLowerCase() + reworded.slice(1);
  return [{ message, fix: 'correct the setting', pointer }];
}
