import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { regexLiteralsOf } from '../support/regex-literals.ts';
import { findSuperlinear } from '../support/superlinear.ts';

/** Code that reads texts of documents, nodes, callers, servers and readers of a page. */
const files = globSync([
  'bin/**/*.ts',
  'common/**/*.{ts,js}',
  'docs-site/browser/**/*.ts',
  'generator/**/*.ts',
  'src/**/*.ts',
]).filter((file) => !/\/dist\/|\.d\.ts$|^bin\/specgate\.ts$/.test(file));

/** Expressions that take more than linear time, each with the reason why it is safe. */
const accepted: Readonly<Record<string, string>> = {
  'generator/targets/docs/pages/guide.ts /^(```|~~~)':
    'searches to the end of a guide at most twice: once for each kind of fence',
  'src/devnet/solana/token/parsed.ts /0+$/': 'sees at most the 255 decimals of a token',
};

/** Returns the line of the text after the file name, or the line after its constant. */
function placeOf(key: string): string {
  const [file, text] = key.split(' ') as [string, string];
  const lines = readFileSync(file, 'utf8').split('\n');
  const isConstant = /^\w+$/.test(text);
  const at = lines.findIndex((line) => line.includes(isConstant ? `const ${text} =` : text));
  return `${file}:${at + (isConstant ? 2 : 1)}`;
}

/** Files that build expressions from texts, with the source of the texts. */
const made: Readonly<Record<string, string>> = {
  'common/escape/markdown.ts': 'parts that are listed by themselves',
  'common/escape/text.ts': 'parts that are listed by themselves',
  'common/json/pattern.ts': 'a pattern that is compiled and not run',
  'common/pattern/expression.ts':
    'patterns of the document, of which only sets of characters are run',
  'generator/targets/docs/text/safe-markdown.ts': 'parts that are listed by themselves',
  'generator/model/casing.ts': 'ranges of letters of our own',
  'generator/model/type-names.ts': 'ranges of letters of our own',
  'generator/output/format.ts': 'ranges of letters of our own',
  'generator/targets/python/names.ts': 'ranges of letters of our own',
  'generator/targets/types/text-type.ts': 'digits of our own',
  'generator/targets/types/type-text.ts': 'a placeholder of our own',
  'generator/targets/client/runtime/exact-json.ts': 'a mark of our own and digits',
  'generator/violations/backtracking-program.ts': 'sets of characters of a pattern',
  'docs-site/browser/try-it/schema/reader.ts': 'patterns of the document, which lint checks',
  'common/validators-runtime/helpers.js': 'patterns of the document, which lint checks',
};

describe('regular expressions on foreign texts', () => {
  const all = files.flatMap((file) =>
    regexLiteralsOf(readFileSync(file, 'utf8')).map((literal) => ({ file, ...literal })),
  );

  it('are all found, by their number in each file', () => {
    const count = (file: string): number => all.filter((each) => each.file === file).length;
    expect(all.length).toBeGreaterThan(100);
    expect(count('src/upstream/node-errors.ts')).toBe(9);
    expect(count('src/errors/not-found.ts')).toBe(7);
    expect(count('src/gateway/revert.ts')).toBe(12);
  });

  it('take linear time on texts made to slow them down', () => {
    const slow = all.flatMap(({ file, line, source, flags }) => {
      const isSlow =
        /\\[1-9k]/.test(source.replaceAll('\\\\', '')) ||
        findSuperlinear(new RegExp(source, flags)) !== null;
      return isSlow ? [`${file}:${line}`] : [];
    });
    expect(slow.toSorted()).toEqual(Object.keys(accepted).map(placeOf).toSorted());
  });

  it('are built from texts only in the places that are listed with a reason', () => {
    const places = files.filter((file) => /\bRegExp\(/.test(readFileSync(file, 'utf8')));
    expect(places.toSorted()).toEqual(Object.keys(made).toSorted());
  });
});

describe('regular expressions of our document', () => {
  it('take linear time', () => {
    const sources = new Set<string>();
    JSON.parse(readFileSync('openrpc.json', 'utf8'), (name, value: unknown) => {
      if (name === 'pattern' && typeof value === 'string') sources.add(value);
      if (name === 'patternProperties') for (const key of Object.keys(value!)) sources.add(key);
      return value;
    });
    expect(sources.size).toBeGreaterThan(5);
    expect([...sources].filter((source) => findSuperlinear(new RegExp(source)))).toEqual([]);
  });
});

describe('the search for slow expressions', () => {
  const slow = [
    /^(a+)+$/,
    /^a*a*$/,
    /\s+$/,
    /x*y/,
    /^(?:a|a)*b/,
    /^(\w+\s?)*$/,
    /^(?=.*\d)(?:[a-z]+)*$/,
    /\bstate .*(?:not available|pruned)/,
    /said '(.*)'$/s,
    /"(?:[^"\\]|\\.)*"/,
  ];
  it.each(slow)('finds %s', (expression) => {
    expect(findSuperlinear(expression)).not.toBeNull();
  });

  it.each([/a+/, /^a+b/, /^\w+(\s\w+)*$/, /^[^@]+@[^@]+$/, /"(?:[^"\\]|\\.)*"?/, /^(?=.*a).*b/])(
    'passes %s',
    (expression) => {
      expect(findSuperlinear(expression)).toBeNull();
    },
  );
});
