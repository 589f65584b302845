import type { KindId } from '../../../generator/diff/kinds/index.ts';

/**
 * Kinds below error for which a call or a value can prove a break, and the reason: the benchmark fails
 * if it proves a break of another kind below error.
 */
export const policy: Readonly<Record<string, string>> = {
  'method-removed-after-sunset': 'the removal was announced, and its date has passed',
  'request-property-added': 'a caller that follows the older document does not send the member',
  'response-property-added-to-closed':
    'only a validator notices the member; a document that closes its results could never grow',
  'response-property-removed': 'the older document did not promise the member',
  'response-other-members-allowed': 'only a validator notices members that callers do not read',
  'response-value-added': 'a caller that handles unknown values keeps working',
  'response-schema-became-satisfiable': 'before, no result followed the document',
  'request-schema-undecided': 'the comparison was not decided; --undecided error makes it an error',
  'response-schema-undecided':
    'the comparison was not decided; --undecided error makes it an error',
} satisfies Partial<Record<KindId, string>>;
