import type { core } from 'zod';
import { nearestName } from '../../common/validators-runtime/nearest-name.js';

/** Returns the message of an issue for which the schema has none of its own. */
export function describeIssue(issue: core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = kinds[issue.expected] ?? issue.expected;
      if (issue.input === undefined) return `missing, expected ${expected}`;
      const isNumber = numbers.has(issue.expected) && typeof issue.input === 'number';
      return `expected ${expected}, got ${isNumber ? String(issue.input) : kindOf(issue.input)}`;
    }
    case 'too_small':
      if (issue.origin === 'string') return 'expected a value, got an empty string';
      return issue.inclusive === false
        ? `expected more than ${issue.minimum}, got ${String(issue.input)}`
        : `expected ${issue.minimum} or more, got ${String(issue.input)}`;
    case 'too_big':
      return `expected ${issue.maximum} or less, got ${String(issue.input)}`;
    case 'invalid_value': {
      const hint = didYouMean(String(issue.input), issue.values.map(String));
      return `expected one of ${issue.values.join(', ')}, got "${String(issue.input)}"${hint}`;
    }
    case 'invalid_key':
      return 'invalid name, expected lowercase letters, digits and hyphens';
    default:
      return undefined;
  }
}

/** Returns the end of a message about an unknown name: the nearest known name, or all of them. */
export function describeSuggestion(name: string, known: readonly string[]): string {
  return didYouMean(name, known) || `, expected one of ${list(known)}`;
}

const MAX_LISTED = 12;

function list(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  const shown = names.slice(0, MAX_LISTED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function didYouMean(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}

const kinds: Readonly<Record<string, string>> = {
  int: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

const numbers: ReadonlySet<string> = new Set(['int', 'number']);

/** Shows neither strings nor numbers, which may be secrets: a key of digits without quotes is a number. */
function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  return kinds[typeof value] ?? typeof value;
}
