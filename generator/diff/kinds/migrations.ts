/** What callers do about changes, by kind; those of schemas by how their ids begin. */
const hints: Readonly<Record<string, string>> = {
  'method-removed-without-deprecation': 'stop calling it; look for a method in its place',
  'method-removed-before-sunset': 'stop calling it; look for a method in its place',
  'method-removed-deprecated': 'stop calling it; its description said what to use instead',
  'method-removed-after-sunset': 'stop calling it; its description said what to use instead',
  'method-renamed': 'call it by its new name',
  'method-deprecated-without-sunset': 'plan to do without it',
  'sunset-moved-earlier': 'move on sooner',
  'sunset-removed': 'ask until when it works',
  'sunset-in-the-past': 'move on at once',
  'sunset-without-deprecation': 'plan to do without it by then',
  'stability-lowered': 'expect it to change; be ready to follow',
  'param-structure-narrowed': 'give the parameters in the way that is left',
  'result-removed': 'send it as a notification, and wait for no answer',
  'result-added': 'give calls an id, and read the answer',
  'param-added-required': 'give the parameter in every call',
  'param-inserted': 'move the arguments behind it by one place',
  'param-removed': 'leave the argument out',
  'params-reordered': 'give the arguments in the new order',
  'param-renamed': 'regenerate the client, and follow the new name',
  'named-param-renamed': 'give the argument by its new name',
  'param-became-required': 'give the argument in every call',
  'param-default-changed': 'give the value yourself where you rely on the former one',
  'param-default-removed': 'give the value yourself where you rely on it',
  'member-default-changed': 'give the value yourself where you rely on the former one',
  'component-schema-removed': 'regenerate the client, and import another type',
  'component-schema-renamed': 'regenerate the client, and import the type by its new name',
  'credits-raised': 'reckon with the new price; a larger plan may be needed',
  'forwarding-withdrawn': 'be ready to retry during an outage',
  'transport-withdrawn': 'call it over a transport that is left',
  'network-family-changed': 'call it on a network of the new family',
  'gas-cap-lowered': 'give no more than the new cap',
  'normalization-changed': 'give the value in the form that the schema asks for',
  'not-found-changed': 'handle both null and an error where an item is not found',
  'method-error-removed': 'drop what handled it, and regenerate the client',
  'error-removed': 'drop what handled it, and regenerate the client',
  'error-code-changed': 'handle the new code beside the former one',
  'error-message-changed': 'go by code and reason rather than by the message',
  'error-data-changed': 'read data in its new form',
  'error-reason-changed': 'handle the new reason beside the former one',
  'error-status-changed': 'handle the new HTTP status beside the former one',
  'error-no-longer-retryable': 'stop retrying it',
  'error-became-charged': 'reckon with its price',
  'terms-changed': 'read the new terms',
  'server-removed': 'call another server',
  'server-url-changed': 'call the new address',
  'server-variable-narrowed': 'use a value that is left',
  'server-variable-default-changed':
    'set the variable yourself where you rely on the former default',
  'plan-removed': 'choose another plan',
  'plan-credits-lowered': 'reckon with the smaller allowance',
  'plan-rate-lowered': 'call no faster than the new rate',
  'plan-forwarding-withdrawn': 'be ready to retry during an outage',
  'limit-lowered': 'keep requests within the new limit',
  'extension-declaration-removed': 'look at tools of your own that read the extension',
  'extension-declaration-changed': 'look at tools of your own that read the extension',
  'request-property-refused': 'leave the member out',
  'request-property-removed': 'leave the member out',
  'response-property-removed': 'do without the member',
  'response-required-property-removed': 'do without the member',
  'response-property-became-optional': 'handle results without the member',
  'response-null-allowed': 'handle null',
  'response-value-replaced': 'handle the new values',
  'response-value-added': 'handle values that you do not know',
};

/** What callers have to do about a change of this kind. */
export function migrationOf(kind: string): string {
  const own = hints[kind];
  if (own !== undefined) return own;
  if (kind.endsWith('-unsatisfiable')) return 'ask for a corrected document';
  if (kind.endsWith('-undecided'))
    return 'compare the two schemas, and see whether you are touched';
  if (kind.startsWith('request-')) return 'send only what is allowed now';
  if (kind.startsWith('response-')) return 'handle what may come now, and renew validators';
  return 'read what changed in the document';
}
