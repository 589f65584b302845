// What a keyword of JSON Schema asks for, in words.

import { formatNames } from './formats.js';

const ARTICLES = { array: 'an array', integer: 'an integer', null: 'null', object: 'an object' };

const MAX_LISTED = 12;

const MAX_ALTERNATIVES = 4;

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
  contains: () => 'an element of the kind it must contain',
  required: ({ missingProperty }) => `a member "${missingProperty}"`,
  dependencies: ({ missingProperty, property }) =>
    `a member "${missingProperty}" beside "${property}"`,
  propertyNames: () => 'another member name',
  oneOf: ({ passing }) => (passing === null ? 'one of the alternatives' : 'only one alternative'),
  anyOf: () => 'one of the alternatives',
  not: () => 'something else',
  if: () => 'what goes with the other values',
  depth: () => 'less nesting',
};

// Keywords whose text says less than the schema's own description does.
const DESCRIBED = new Set(['pattern', 'format', 'oneOf', 'anyOf', 'not', 'if', 'false schema']);

// Keywords that speak of a member, which no description of the whole replaces.
const OF_MEMBERS = new Set(['required', 'additionalProperties', 'dependencies', 'propertyNames']);

/**
 * What would have been right where `error` was found. `factOf` tells what the document says of the
 * schema of an error: `expected` in so many words, `about` as a description, `keys` as its only
 * members.
 */
export function expectedOf(error, factOf) {
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

/** What the branches of a union ask for, when there are few and each can be said. */
function alternativesOf({ instancePath, alternatives = [] }, factOf) {
  const isOfMember = (error) =>
    OF_MEMBERS.has(error.keyword) || error.instancePath !== instancePath;
  if (alternatives.length === 0 || alternatives.some(isOfMember)) return null;
  const told = [...new Set(alternatives.map((error) => expectedOf(error, factOf)))];
  return told.length > MAX_ALTERNATIVES ? null : told.join(' or ');
}

function wordsFor(keyword, params) {
  const comparison = COMPARISONS[params.comparison];
  if (comparison !== undefined) return `${comparison} ${params.limit}`;
  return byKeyword[keyword]?.(params) ?? 'nothing';
}

function knownMembers(keys) {
  return keys.length === 0 ? 'no such member' : `one of the members ${keys.join(', ')}`;
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
