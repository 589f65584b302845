/** What callers have to do, by the id of the kind. */
const hints: Readonly<Record<string, string>> = {
  'method-removed-without-deprecation': 'stop calling it; look for a replacement',
  'method-removed-before-sunset': 'stop calling it; look for a replacement',
  'method-removed-deprecated': 'stop calling it; use the replacement named in its description',
  'method-removed-after-sunset': 'stop calling it; use the replacement named in its description',
  'method-renamed': 'call it by its new name',
  'method-deprecated-without-sunset': 'plan to stop using it',
  'sunset-moved-earlier': 'migrate sooner',
  'sunset-removed': 'ask how long it will keep working',
  'sunset-in-the-past': 'migrate at once',
  'sunset-without-deprecation': 'plan to stop using it by then',
  'stability-lowered': 'expect changes',
  'param-structure-narrowed': 'pass the parameters in the remaining way',
  'result-removed': 'send it as a notification, and do not wait for an answer',
  'result-added': 'send it with an id, and read the answer',
  'param-added-required': 'pass the parameter in every call',
  'param-inserted': 'move the arguments after it by one position',
  'param-removed': 'omit the argument',
  'params-reordered': 'pass the arguments in the new order',
  'param-renamed': 'regenerate the client, and use the new name',
  'named-param-renamed': 'pass the argument by its new name',
  'param-became-required': 'pass the argument in every call',
  'param-default-changed': 'pass the old value explicitly if you rely on it',
  'param-default-removed': 'pass the value explicitly if you rely on it',
  'member-default-changed': 'pass the old value explicitly if you rely on it',
  'component-schema-removed': 'regenerate the client, and import a different type',
  'component-schema-renamed': 'regenerate the client, and import the type by its new name',
  'credits-raised': 'plan for the new price; a larger plan may be needed',
  'forwarding-withdrawn': 'be ready to retry during an outage',
  'transport-withdrawn': 'call it over a remaining transport',
  'network-family-changed': 'call it on a network of the new family',
  'gas-cap-lowered': 'stay within the new cap',
  'normalization-changed': 'pass the value in the form that the schema requires',
  'not-found-changed': 'handle both null and an error where an item is not found',
  'method-error-removed': 'drop the code that handles it, and regenerate the client',
  'error-removed': 'drop the code that handles it, and regenerate the client',
  'error-code-changed': 'handle the new code as well as the old one',
  'error-message-changed': 'use code and reason instead of the message',
  'error-data-changed': 'read data in its new form',
  'error-reason-changed': 'handle the new reason as well as the old one',
  'error-status-changed': 'handle the new HTTP status as well as the old one',
  'error-no-longer-retryable': 'stop retrying it',
  'error-became-charged': 'plan for its price',
  'terms-changed': 'read the new terms',
  'server-removed': 'call a different server',
  'server-url-changed': 'call the new URL',
  'server-variable-narrowed': 'use a remaining value',
  'server-variable-default-changed': 'set the variable explicitly if you rely on the old default',
  'plan-removed': 'choose a different plan',
  'plan-credits-lowered': 'plan for the smaller allowance',
  'plan-rate-lowered': 'call no faster than the new rate',
  'plan-forwarding-withdrawn': 'be ready to retry during an outage',
  'limit-lowered': 'keep requests within the new limit',
  'extension-declaration-removed': 'check your tools that read the extension',
  'extension-declaration-changed': 'check your tools that read the extension',
  'request-property-refused': 'omit the member',
  'request-property-removed': 'omit the member',
  'response-property-removed': 'stop reading the member',
  'response-required-property-removed': 'stop reading the member',
  'response-property-became-optional': 'handle results without the member',
  'response-null-allowed': 'handle null',
  'response-value-replaced': 'handle the new values',
  'response-value-added': 'handle unknown values',
};

/** Returns what callers have to do about a change of this kind. */
export function migrationOf(kind: string): string {
  const own = hints[kind];
  if (own !== undefined) return own;
  if (kind.endsWith('-unsatisfiable')) return 'ask for a corrected document';
  if (kind.endsWith('-undecided'))
    return 'compare the two schemas, and check whether you are affected';
  if (kind.startsWith('request-')) return 'send only what is allowed now';
  if (kind.startsWith('response-')) return 'handle the new values, and update validators';
  return 'read what changed in the document';
}
