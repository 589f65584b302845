// Describes in words what a keyword of JSON Schema expects.

import { formatNames } from './formats.js';

const ARTICLES = {
  // No inherited members: a document may name a type "constructor".
  __proto__: null,
  array: 'an array',
  integer: 'an integer',
  null: 'null',
  object: 'an object',
};

const MAX_LISTED = 12;

const MAX_ALTERNATIVES = 4;

/** Maximum length of a text of the document in a message, which a response repeats for each error. */
const MAX_TEXT = 1_000;

/** Maximum number of names in a message. */
const MAX_NAMES = 100;

const COMPARISONS = { '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than' };

const byKeyword = {
  type: ({ type }) => [type].flat().map(typeName).join(' or '),
  enum: ({ allowedValues }) => `one of ${listOf(allowedValues)}`,
  const: ({ allowedValue }) => JSON.stringify(allowedValue),
  pattern: ({ pattern }) => `a string matching ${pattern}`,
  format: ({ format }) => formatNames[format] ?? `text in the format ${format}`,
  multipleOf: ({ multipleOf }) => `a multiple of ${multipleOf}`,
  minLength: ({ limit }) => `at least ${count(limit, 'character')}`,
  maxLength: ({ limit }) => `at most ${count(limit, 'character')}`,
  minItems: ({ limit }) => `at least ${count(limit, 'element')}`,
  maxItems: ({ limit }) => `at most ${count(limit, 'element')}`,
  additionalItems: ({ limit }) => `at most ${count(limit, 'element')}`,
  minProperties: ({ limit }) => `at least ${count(limit, 'member')}`,
  maxProperties: ({ limit }) => `at most ${count(limit, 'member')}`,
  uniqueItems: () => 'no two equal elements',
  contains: () => 'at least one element that matches "contains"',
  required: ({ missingProperty }) => `a member "${missingProperty}"`,
  dependencies: ({ missingProperty, property }) =>
    `a member "${missingProperty}" together with "${property}"`,
  propertyNames: () => 'a valid member name',
  oneOf: ({ passing }) =>
    passing === null ? 'one of the alternatives' : 'exactly one matching alternative',
  anyOf: () => 'one of the alternatives',
  not: () => 'a different value',
  if: () => 'a value consistent with the other members',
  depth: () => 'less nesting',
  complexity: () => 'a value that takes fewer steps to validate',
};

// For these keywords the schema's own description says more.
const DESCRIBED = new Set(['pattern', 'format', 'oneOf', 'anyOf', 'not', 'if', 'false schema']);

// These keywords are about a member: a description of the whole object does not replace them.
const OF_MEMBERS = new Set(['required', 'additionalProperties', 'dependencies', 'propertyNames']);

/**
 * Describes the value that `error` expects. `factOf` returns the document's facts about the schema of
 * an error: `expected` (the exact words), `about` (a description), `keys` (the only members allowed).
 */
export function expectedOf(error, factOf) {
  return cutText(wordsOf(error, factOf));
}

/** Cuts a text of the document that is too long for a message. */
export function cutText(text) {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Lists names of the document for a message. */
export function listNames(names) {
  return names.slice(0, MAX_NAMES).join(', ') + (names.length > MAX_NAMES ? ', …' : '');
}

function wordsOf(error, factOf) {
  const { keyword, params } = error;
  const fact = factOf(error);
  if (keyword === 'additionalProperties') return knownMembers(fact.keys ?? []);
  const text = wordsFor(keyword, params);
  if (OF_MEMBERS.has(keyword)) return text;
  if (fact.expected !== undefined) return fact.expected;
  const { about } = fact;
  if (about === undefined) return alternativesOf(error, factOf) ?? text;
  if (isNounPhrase(about)) return DESCRIBED.has(keyword) ? about : `${text} (${about})`;
  return `${alternativesOf(error, factOf) ?? text} (${about})`;
}

/** Whether a text can follow "expected": "a hash", and not "to address" or another title. */
export function isNounPhrase(text) {
  return /^(?:an?|the|one|any|either|each|every) /.test(text);
}

/** Describes the branches of a union, or returns null when there are too many to list. */
function alternativesOf({ instancePath, alternatives = [] }, factOf) {
  const isOfMember = (error) =>
    OF_MEMBERS.has(error.keyword) || error.instancePath !== instancePath;
  if (alternatives.length === 0 || alternatives.some(isOfMember)) return null;
  const texts = [...new Set(alternatives.map((error) => expectedOf(error, factOf)))];
  if (texts.length > MAX_ALTERNATIVES) return null;
  return texts.join(texts.some((text) => text.includes(', ')) ? ', or ' : ' or ');
}

function wordsFor(keyword, params) {
  const comparison = COMPARISONS[params.comparison];
  if (comparison !== undefined) return `${comparison} ${params.limit}`;
  return byKeyword[keyword]?.(params) ?? 'no value';
}

function knownMembers(keys) {
  return keys.length === 0 ? 'no other members' : `one of the members ${listNames(keys)}`;
}

function listOf(values) {
  const shown = values.slice(0, MAX_LISTED).map((value) => JSON.stringify(value));
  return shown.join(', ') + (values.length > MAX_LISTED ? ', …' : '');
}

function typeName(type) {
  return ARTICLES[type] ?? `a ${type}`;
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
