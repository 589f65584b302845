import { cutText, expectedOf } from './expected.js';
import { nearestErrors } from './nearest.js';
import { comparisonSteps, nearestName } from './nearest-name.js';

const MAX_FINDINGS = 20;

const MAX_SHOWN = 40;

/** Maximum number of allowed values that are compared with a wrong one. */
const MAX_COMPARED = 100;

/**
 * Turns the errors of a compiled validator into violations. `facts` holds the document's facts about
 * each schema, by path; `value` is the validated value; `label` and `pointer` name it.
 */
export function violationsOf(errors, { facts, value, label, pointer, param }) {
  const violations = findingsOf(errors, { facts, value }).map((finding) => {
    const { path, keyword, expected, what } = finding;
    const message = `${label}${dotted(path)}: ${what}`;
    return { pointer: pointer + path, param, keyword, expected, message };
  });
  const messages = violations.map(({ message }) => message);
  return violations.filter(({ message }, index) => messages.indexOf(message) === index);
}

/**
 * Describes the errors of a compiled validator: where, what is expected, what is wrong. Returns at
 * most `most` of them.
 */
export function findingsOf(errors, { facts, value, most = MAX_FINDINGS }) {
  const distinct = withoutEchoes(nearestErrors(errors));
  const steps = comparisonSteps();
  const factOf = ({ schemaPath }) => facts[schemaPath.slice(0, schemaPath.lastIndexOf('/'))] ?? {};
  return distinct.slice(0, most).map((error) => {
    const member = memberOf(error);
    const path = member === null ? error.instancePath : joinPath(error.instancePath, member);
    const expected = expectedOf(error, factOf);
    const got = valueAt(value, error.instancePath);
    const meant = meantBy(got, { error, factOf, steps });
    const problem = cutText(describe(error, { expected, factOf, got, steps }));
    const what = meant === null ? problem : `${problem}; did you mean "${meant}"?`;
    return { path, keyword: error.keyword, expected, problem, what, meant };
  });
}

// "if" and "propertyNames" only repeat that their subschema failed.
function withoutEchoes(errors) {
  const names = new Set(errors.map(({ propertyName }) => propertyName));
  return errors.filter(({ keyword, params }) => {
    if (keyword === 'if') return errors.length === 1;
    return keyword !== 'propertyNames' || !names.has(params.propertyName);
  });
}

/** Returns the member that the error is about, or null. */
function memberOf({ keyword, params, propertyName }) {
  if (propertyName !== undefined) return propertyName;
  if (keyword === 'required' || keyword === 'dependencies') return params.missingProperty;
  if (keyword === 'additionalProperties') return params.additionalProperty;
  return keyword === 'propertyNames' ? params.propertyName : null;
}

function describe(error, { expected, factOf, got, steps }) {
  const { keyword, params } = error;
  const fact = factOf(error);
  if (keyword === 'required') return withReason('missing', fact.expected);
  if (keyword === 'dependencies') return `missing; "${params.property}" requires it`;
  if (keyword === 'propertyNames' || error.propertyName !== undefined) {
    return `invalid name; expected ${expected}`;
  }
  if (keyword === 'additionalProperties') {
    const suggestion = nearestName(params.additionalProperty, fact.keys ?? [], { steps });
    const hint = suggestion === null ? `expected ${expected}` : `did you mean "${suggestion}"?`;
    return `unknown; ${hint}`;
  }
  return `expected ${expected}, got ${shown(got)}`;
}

/** Returns the allowed text that a wrong value was probably meant to be, or null. */
function meantBy(got, { error, factOf, steps }) {
  const reasons = [error, ...(error.alternatives ?? [])];
  const hex = reasons.some((each) => factOf(each).hex === true) ? hexOf(got) : null;
  if (hex !== null || typeof got !== 'string') return hex;
  const allowed = reasons.flatMap(({ params: { allowedValue, allowedValues = [] } }) => [
    allowedValue,
    ...allowedValues.slice(0, MAX_COMPARED),
  ]);
  const texts = allowed.filter((each) => typeof each === 'string');
  return nearestName(got, texts, { steps });
}

const MAX_DIGITS = 78;

/** Converts a decimal number, or a hexadecimal one with leading zeros, to hexadecimal without them. */
function hexOf(value) {
  const text = String(value);
  if (typeof value !== 'string' && !Number.isSafeInteger(value)) return null;
  if (text.length > MAX_DIGITS || !/^(?:\d+|0x0[0-9a-f]*)$/i.test(text)) return null;
  return `0x${BigInt(text).toString(16)}`;
}

function withReason(what, expected) {
  return expected === undefined ? what : `${what}; expected ${expected}`;
}

function joinPath(path, member) {
  return `${path}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function tokensOf(path) {
  const tokens = path.split('/').slice(1);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Formats "/filters/0/memcmp" as ".filters[0].memcmp". */
function dotted(path) {
  const step = (token) => (/^\d+$/.test(token) ? `[${token}]` : `.${cut(token)}`);
  return tokensOf(path).map(step).join('');
}

function valueAt(value, path) {
  let found = value;
  for (const token of tokensOf(path)) found = found?.[token];
  return found;
}

function shown(value) {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(cut(value)) : String(value);
}

function cut(text) {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
