import { joinPointer } from '../../../common/json/pointer.ts';
import { objectAt } from '../../schema/document-schemas.ts';
import { shown, type ObjectSchemaPlace } from '../context.ts';
import { didYouMean, jsonSchema, rule } from '../rule.ts';
import { findBacktracking } from './backtracking.ts';

interface Pattern {
  readonly source: string;
  readonly pointer: string;
  /** True for a `pattern`, false for a key of `patternProperties`. */
  readonly isOfValue: boolean;
}

function* patternsOf(schemas: readonly ObjectSchemaPlace[]): Generator<Pattern> {
  for (const { schema, pointer } of schemas) {
    const { pattern } = schema;
    if (typeof pattern === 'string') {
      yield { source: pattern, pointer: `${pointer}/pattern`, isOfValue: true };
    }
    const below = `${pointer}/patternProperties`;
    for (const source of Object.keys(objectAt(schema, 'patternProperties'))) {
      yield { source, pointer: joinPointer(below, source), isOfValue: false };
    }
  }
}

export const patterns = [
  rule('pattern-anchored', ['warning', 'error'], {
    title: 'Patterns are anchored',
    protects: 'A pattern without ^ and $ matches anywhere: "0x[0-9a-f]+" allows "not 0xa hash".',
    source: jsonSchema('validation', '6.3.3', 'regular expressions are not implicitly anchored'),
    fix: 'put it between ^ and $',
    bad: `components: { schemas: { Hash: { type: string, pattern: '0x[0-9a-f]+' } } }`,
    good: `components: { schemas: { Hash: { type: string, pattern: '^0x[0-9a-f]+$' } } }`,
    *check({ schemas }) {
      for (const { source, pointer, isOfValue } of patternsOf(schemas)) {
        // A literal word or character may be meant to match anywhere; a pattern with repetitions is meant
        // for the whole value.
        const isOfWhole = /[*+}]/.test(source) && !/^\.\*|\.\*$/.test(source);
        if (!isOfValue || !isOfWhole || /[\^$]/.test(source.replaceAll(/\[\^|\\[\^$]/g, '')))
          continue;
        yield { pointer, message: `the pattern ${shown(source)} matches anywhere in the value` };
      }
    },
  }),
  rule('pattern-backtracking', ['error', 'error'], {
    title: 'Patterns do not backtrack exponentially',
    protects:
      'A nested repetition is tried in every combination, so that one short text can block a server that validates it.',
    source: {
      text: 'CWE-1333, inefficient regular expression complexity; JSON Schema draft-07, validation 11, on hostile patterns',
      url: 'https://cwe.mitre.org/data/definitions/1333.html',
    },
    fix: 'rewrite it so that every text can match in only one way',
    bad: `components: { schemas: { Words: { type: string, pattern: '^(\\w+\\s?)*$' } } }`,
    good: `components: { schemas: { Words: { type: string, pattern: '^\\w+(\\s\\w+)*$' } } }`,
    *check({ schemas }) {
      const known = new Map<string, string | null>();
      let left_ms = MAX_TRIES_MS;
      for (const { source, pointer } of patternsOf(schemas)) {
        if (!known.has(source)) {
          if (left_ms <= 0) {
            const message = `the pattern ${shown(source)} and all after it were not tried: those before took too long`;
            yield { pointer, message, fix: 'fix the slow patterns, then try again' };
            return;
          }
          const start_ms = performance.now();
          known.set(source, findBacktracking(source));
          left_ms -= performance.now() - start_ms;
        }
        const text = known.get(source);
        if (text === null || text === undefined) continue;
        yield {
          pointer,
          message: `the pattern ${shown(source)} backtracks exponentially, for example on ${shown(text)}`,
        };
      }
    },
  }),
  rule('format-known', ['warning', 'error'], {
    title: 'Formats are known',
    protects: 'An unknown format is not checked: "datetime" allows any string.',
    source: jsonSchema('validation', '7.1', 'formats that are not known are ignored'),
    options: { known: [] as readonly string[] },
    fix: 'use a JSON Schema format or a pattern, or add it to the option "known"',
    bad: `components: { schemas: { Day: { type: string, format: datetime } } }`,
    good: `components: { schemas: { Day: { type: string, format: date-time } } }`,
    *check({ schemas }, { known }) {
      for (const { schema, pointer } of schemas) {
        const own = schema['format'];
        if (typeof own !== 'string' || FORMATS.includes(own) || known.includes(own)) continue;
        const fix = didYouMean(own, FORMATS);
        const message = `unknown format ${shown(own)}`;
        yield { pointer: `${pointer}/format`, message, ...fix };
      }
    },
  }),
];

/** Maximum time for the patterns of a document: a slow one takes half a second, an ordinary one none. */
const MAX_TRIES_MS = 5_000;

/** The formats of draft-07 and of the OpenAPI registry. */
const FORMATS = `date-time date time email idn-email hostname idn-hostname ipv4 ipv6 uri
  uri-reference iri iri-reference uri-template json-pointer relative-json-pointer regex uuid duration
  int8 int16 int32 int64 uint8 uint16 uint32 uint64 float double decimal decimal128 double-int byte
  binary password base64url char html commonmark http-date media-range unixtime`.split(/\s+/);
