/** Keeps replaced words out of help, messages, docs, comments and identifiers (CONTRIBUTING.md, "Words"). */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Patterns of lower-case words, each with what to write instead. */
const replaced: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/, 'fix'],
  [/\b(?:tell|tells|told|telling)\b/, 'report, print, log, return, show or list'],
  [/\bforfeit\w*/, 'lost'],
  [/\b(?:dearest|gravest)\b/, 'maximum, most expensive, most severe'],
  [/\bgravity\b/, 'severity'],
  [/\b(?:anew|afresh)\b/, 'again, new'],
  [/\b(?:whoever|whichever)\b/, 'the caller, any'],
  [/\b(?:nobody|somebody)\b/, 'no one, someone, or the name of who it is'],
  [/\bheed(?:s|ed|ing)?\b/, 'apply'],
  [/\bleash(?:es)?\b/, 'abort controller'],
  [/\btwins?\b/, 'duplicate, version'],
  [
    /\b(?:flaw(?:s|ed)?|troubles?|complaints?|remarks?|faults?|faulty)\b/,
    'diagnostic, failure, error',
  ],
  [
    /\b(?:courier|errand|crew|reception|entrance|succession|successor|lasting)s?\b/,
    'the name in ARCHITECTURE.md',
  ],
  [/\b(?:desk|door|key ring|fate|workshop|unmakeable)s?\b/, 'the name in ARCHITECTURE.md'],
  [/\brooms?\b/, 'module, space'],
  [/\bjudg(?:e|es|ed|ing)\b/, 'classify'],
  [
    /(?<!\bthere )\b(?:is|are|was|were) (?:none\b|no (?!longer|more|such|one|other)[a-z])/,
    'is not a, not found, invalid',
  ],
  [/\bgives? up\b/, 'stop, fail'],
  [/\bhands? on\b/, 'pass'],
  [/\b(?:behaviour|catalogue|colour|artefact|favour|honour)s?\b/, 'the American spelling'],
  [
    /\b(?:normali|seriali|recogni|initiali|optimi|summari|capitali|authori)s(?:e|es|ed|ing|ation|ations)\b/,
    'the American spelling',
  ],
  [
    /\b(?:most|least|longest) (?:ms|bytes|characters|calls|known|waiting)\b/,
    'max…, MAX_…, min…, MIN_…',
  ],
];

/** The same for the texts that users read; in code, an answer may be that to a whole message. */
const replacedInTexts: typeof replaced = [
  [
    /\b(?:an|the|no|each|every|its|whole|slow|example) answers?\b|\banswers? (?:of|to)\b/,
    'response, result',
  ],
  [
    /(?<!\bconnections? (?:is |are |was )?)\brefus(?:e|es|ed|al|als|ing)\b(?! connections?\b)/,
    'rejected',
  ],
];

/** Uses that stay: the file, the words, the reason. */
const allowed: readonly (readonly [file: RegExp, words: RegExp, reason: string])[] = [
  [/\.py$/, /\b(?:is|are) none\b/g, 'the value of Python'],
  [/^(?:src|test)\/store\//, /\bforfeited\b/g, 'a column and a state of older database versions'],
  [/^test\/support\/postgres\.ts$/, /\bnobody\b/g, 'a user of Unix systems'],
  [
    /^CHANGELOG\.md$/,
    /`[^`]*`(?=[^→`]*→)|`[^`]*`(?=(?:, `[^`]*`)+ →)/g,
    'former names in a list of renamed ones',
  ],
  [/\/traceability\.md$/, /› [^|<]*/g, 'titles of tests'],
  [
    /^(?:common\/escape\/script|generator\/targets\/client)\b/,
    /\bremark(?:s|ed)\b/g,
    'a tag of TSDoc',
  ],
  [
    /^generator\/lint\/rules\/documentation\.ts$/,
    /\b(?:successor|favou)\b/g,
    'words that the rule looks for in documents',
  ],
];

const files = globSync(
  [
    '*.{md,ts,yaml,yml}',
    'openrpc.json',
    '{.github,bench,bin,common,deploy,docs-site,generator,scripts,src,test}/**/*.{ts,js,md,hbs,py,yaml,yml}',
  ],
  { cwd: root, exclude: ['**/{dist,node_modules}/**', 'test/words.test.ts'] },
).map((path) => path.replaceAll('\\', '/'));

/** Guides, the texts of the document, and what is deployed. */
const isText = (path: string): boolean =>
  /^(?:docs-site\/content|deploy|\.github)\/|^[\w.-]+\.(?:md|yaml)$|^openrpc\.json$/.test(path);

/** The words of prose, `camelCase`, `CONSTANT_CASE` and `kebab-case`, in lower case. */
function wordsOf(text: string): string {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/(?<=\w)[_-](?=\w)/g, ' ')
    .toLowerCase();
}

/** By file: its lines, and their words without the allowed ones. */
const texts = files.map((path) => {
  const lines = readFileSync(root + path, 'utf8').split('\n');
  const uses = allowed.filter(([file]) => file.test(path)).map(([, use]) => use);
  const words = lines.map((line) =>
    uses.reduce((text, use) => text.replaceAll(use, ''), wordsOf(line)),
  );
  return { path, lines, words };
});

/** Lists the lines that contain a replaced word. */
function findUses(pattern: RegExp, searched: typeof texts): readonly string[] {
  return searched.flatMap(({ path, lines, words }) =>
    words.flatMap((each, index) =>
      pattern.test(each) ? [`${path}:${index + 1}: ${lines[index]!.trim().slice(0, 120)}`] : [],
    ),
  );
}

test.each(replaced)('no text or name contains %s', (pattern, instead) => {
  const uses = findUses(pattern, texts);
  expect(uses, `instead of ${pattern.source} write: ${instead}`).toEqual([]);
});

test.each(replacedInTexts)('no text that users read contains %s', (pattern, instead) => {
  const uses = findUses(
    pattern,
    texts.filter(({ path }) => isText(path)),
  );
  expect(uses, `instead of ${pattern.source} write: ${instead}`).toEqual([]);
});

test.each(allowed)('%s still contains %s: %s', (file, use) => {
  const lines = texts.filter(({ path }) => file.test(path)).flatMap((each) => each.lines);
  expect(lines.some((line) => wordsOf(line).search(use) >= 0)).toBe(true);
});

describe('a replaced word', () => {
  const isReplaced = (text: string): boolean =>
    replaced.some(([pattern]) => pattern.test(wordsOf(text)));

  test.each([
    '// The caller is told.',
    'function complaintOf() {}',
    'const MOST_BYTES = 1;',
    'class HTTPDesk {}',
    'describe_fault()',
    "throw new Error('is no day')",
    'specgate-baseline--mend',
  ])('is found in %j', (text) => {
    expect(isReplaced(text)).toBe(true);
  });

  test.each([
    'const isDefault = stellar;',
    'there is no such file',
    'recommended',
    'mushrooms and doorbells',
    'is no longer served',
  ])('is not found in %j', (text) => {
    expect(isReplaced(text)).toBe(false);
  });
});
