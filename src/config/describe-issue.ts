import type { core } from 'zod';
import { nearestName } from '../../common/validators-runtime/nearest-name.js';

/** What is wrong and how it is mended, where the schema does not say it itself. */
export function describeIssue(issue: core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `is missing; set it to ${wanted(issue.expected)}`;
      return `is ${kindOf(issue.input)}; write ${wanted(issue.expected)}`;
    case 'too_small':
      return issue.origin === 'string'
        ? 'is empty; write something or take it out'
        : `is too small; write ${issue.minimum} or more${issue.inclusive === false ? ', not it' : ''}`;
    case 'too_big':
      return `is too large; write ${issue.maximum} or less`;
    case 'invalid_value':
      return `is not one of ${issue.values.join(', ')}${suggest(String(issue.input), issue.values.map(String))}`;
    case 'invalid_key':
      return 'not a name; use lower case letters, digits and hyphens';
    default:
      return undefined;
  }
}

/** A setting that does not exist, beside the ones that do. */
export function describeUnknown(key: string, known: readonly string[]): string {
  const meant = suggest(key, known);
  return `no such setting${meant === '' ? `; remove it, or use one of ${list(known)}` : meant}`;
}

/** What to write instead of a name that is none of these. */
export function describeSuggestion(name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  return meant === '' ? `; use one of ${list(known)}` : meant;
}

const MOST_LISTED = 12;

function list(names: readonly string[]): string {
  const rest = names.length - MOST_LISTED;
  const shown = names.slice(0, MOST_LISTED).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function suggest(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
}

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'settings',
  record: 'names and their values',
};

function wanted(expected: string): string {
  return kinds[expected] ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'not whole';
  return kinds[typeof value] ?? typeof value;
}
