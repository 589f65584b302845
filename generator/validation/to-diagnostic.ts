import type { PointerDiagnostic } from '../../common/diagnostic.ts';
import { SERVER_URL } from './meta-schema.ts';
import type { Finding } from '../../common/validators-runtime/violations.js';

/** What a validator finds in a document. */
export interface Violation extends PointerDiagnostic {
  /** Whether it is about a member that should not be there. */
  readonly isUnknown?: boolean;
}

/** Converts a finding of a compiled validator; the pointer is into what was validated. */
export function toDiagnostic({ path, keyword, expected, problem, meant }: Finding): Violation {
  const isUnknown = keyword === 'additionalProperties';
  const fix = meant === null ? fixFor(keyword, expected) : `make it ${JSON.stringify(meant)}`;
  return { message: problem, fix, pointer: path, isUnknown };
}

function fixFor(keyword: string, expected: string): string {
  if (keyword === 'required') return 'add it';
  if (keyword === 'additionalProperties') return 'remove it, or start its name with "x-"';
  if (expected.endsWith(SERVER_URL)) return 'write one such as https://example.org/rpc or /rpc';
  if (expected.endsWith('uri-reference')) return 'write a space in it as %20';
  // A number of characters, elements or members.
  if (/^(?:min|max)(?:Length|Items|Properties)$/.test(keyword)) return `must have ${expected}`;
  return expected.startsWith('one of "') ? 'use one of these values' : `make it ${expected}`;
}
