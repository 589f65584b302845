import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TooManyCallsError, validateBounded } from '../../common/validators-runtime/helpers.js';
import type { CompiledValidator } from '../../common/validators-runtime/violations.js';
import { findBacktracking } from '../../generator/lint/rules/backtracking.ts';
import { createAjv } from '../../generator/violations/create-ajv.ts';
import { forgetPatterns, linearPattern } from '../../generator/violations/linear-pattern.ts';
import { isPlain } from '../../generator/violations/plain-pattern.ts';
import { atScale, seedOfCases } from '../support/soak.ts';
import { expressionsOf } from './support/expressions.ts';

/** What JavaScript and RE2 write or read differently, and what expressions are mostly made of. */
const atoms = [
  String.raw`a b 0 - / . [ab] [^a] [a-c0-9] [^] [ ] ^ $ { }`,
  String.raw`\s \S \d \W \w [\s\S] [^\s@] [\d.] [\b] [[:alpha:]] \b \B`,
  String.raw`\/ \u0061 \x30 \u{1F600} \p{L} \- \n \cA`,
  String.raw`(?=a) (?!b) (?<=a) (?<!0) \k<n> \1`,
].flatMap((row) => row.split(' '));
atoms.push(' ');
const characters = [
  ...'abc0-/ .@_[{éſ\n\r\v\b\u00a0\u2028\ufeff\u3000\u{1F600}\u0001',
  // One half of a character.
  '\ud83d',
];

const expression = expressionsOf({
  atoms,
  groups: ['(?:', '(?<n>'],
  quantifiers: ['', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,}', '*?'],
});

beforeEach(forgetPatterns);

function nativeOf(source: string): RegExp | null {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {
      continue;
    }
  }
  return null;
}

describe('an expression of a document', () => {
  it('matches what it matches in JavaScript', () => {
    const text = fc
      .array(fc.constantFrom(...characters), { maxLength: 8 })
      .map((chosen) => chosen.join(''));
    const property = fc.property(
      expression,
      fc.array(text, { minLength: 4, maxLength: 8 }),
      (source, texts) => {
        const native = nativeOf(source);
        fc.pre(native !== null);
        // V8 takes a group within another one of its name, which ECMAScript does not have.
        fc.pre(source.split('(?<n>').length <= 2);
        forgetPatterns();
        const linear = linearPattern(source, 'u');
        for (const each of texts) {
          expect(linear.test(each), `${source} on ${JSON.stringify(each)}`).toBe(native.test(each));
        }
      },
    );
    fc.assert(property, { seed: seedOfCases(), numRuns: atScale(5_000, 700) });
  });

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^a*a*a*a*$',
    String.raw`^(\w+\s?)*$`,
    'a+$',
    'a{1,1000}b',
    '(?<word>[a-z]+)+[0-9]',
    // What looks like the end of a group is a member of a set.
    '^(?=a*[)b]a*c)',
    '^[^]*a{1000}c',
    `^[^]*${'a'.repeat(2_000)}c`,
  ])('takes linear time: %s on a long text', (source) => {
    expect(isPlain(nativeOf(source)!)).toBe(false);
    expect(linearPattern(source, 'u').test(`${'a'.repeat(100_000)}!`)).toBe(false);
  });

  it('of hundreds of steps takes linear time on a text that needs them for each character', () => {
    const expression = linearPattern('^(?:a?){300}a{300}$', 'u');
    expect(expression.test(`${'a'.repeat(5_000)}!`)).toBe(false);
  });

  it.each(['^(?=.*(a+)+b).+$', String.raw`^(a+)+\1b$`, '^(?:(a+)+){1001}b$'])(
    'that RE2 does not have ends in bounded time, and refuses no text it could not be run on: %s',
    (source) => {
      const expression = linearPattern(source, 'u');
      for (let turn = 0; turn < 10; turn += 1) {
        expect(expression.test(`${'a'.repeat(1_001 + 60)}!`)).toBe(true);
      }
    },
  );

  // Without the flag "u", with which it is not valid, JavaScript reads a letter and a group.
  it.each([String.raw`^\p{(a+)+}$`, String.raw`^\P{(a+)+}$`, String.raw`^\u{(a+)+}$`])(
    'that looks like an escape with braces ends in bounded time: %s',
    (source) => {
      const expression = linearPattern(source, 'u');
      expect(isPlain(nativeOf(source)!)).toBe(false);
      const text = `${source[2]}{${'a'.repeat(60)}!`;
      for (let turn = 0; turn < 10; turn += 1) expect(expression.test(text)).toBe(true);
    },
  );

  it('that is large ends in bounded time on a long text', () => {
    const source = `[ab]*a${'[ab]{1000}'.repeat(90)}[cd]`;
    const text = Array.from({ length: 300_000 }, (_, index) =>
      (index * index) % 7 < 3 ? 'a' : 'b',
    );
    const expression = linearPattern(source, 'u');
    for (let turn = 0; turn < 10; turn += 1) expect(expression.test(text.join(''))).toBe(true);
    // Its limits are those of one text, and of all texts together.
    forgetPatterns();
    expect(linearPattern(source, 'u').test('aa')).toBe(false);
  });

  it.each([
    ['on RE2', '^(?:a|b)*c$', 'aab'],
    ['in JavaScript', '^a*$', 'b'.repeat(1_000)],
    ['in JavaScript with a time limit', '^(?!(a+)+b)[^]*$', 'aab'],
  ])('that runs %s takes a bounded time of very many texts', (_, source, text) => {
    const expression = linearPattern(source, 'u');
    // Each match seems to take a hundredth of a second.
    let used_us = 0;
    const name = 'threadCpuUsage' in process ? 'threadCpuUsage' : 'cpuUsage';
    const clock = vi.spyOn(process, name).mockImplementation(() => {
      used_us += 10_000;
      return { user: used_us, system: 0 };
    });
    let runs = 0;
    for (let turn = 0; turn < 1_000; turn += 1) if (!expression.test(text)) runs += 1;
    clock.mockRestore();
    expect(runs).toBeGreaterThanOrEqual(20);
    expect(runs).toBeLessThan(100);
  });

  it('is read in a time in proportion to its length', () => {
    expect(linearPattern(`[${'(?<a'.repeat(400_000)}]`, '').test('<')).toBe(true);
  });

  it('with a long counted repetition ends in bounded time', () => {
    expect(linearPattern('^[^]*a{50000}c', 'u').test('a'.repeat(300_000))).toBe(true);
  });

  it('is not run by JavaScript if V8 takes long to compile it, which cannot be interrupted', () => {
    const ran: string[] = [];
    const { test } = RegExp.prototype;
    const spy = vi.spyOn(RegExp.prototype, 'test').mockImplementation(function (
      this: RegExp,
      text,
    ) {
      ran.push(this.source);
      return Reflect.apply(test, this, [text]) as boolean;
    });
    const letters = String.raw`\p{L}{3}`.repeat(300);
    // The first also runs on RE2, the others do not: every text counts as a match.
    const matches = [
      `^${letters}$`,
      `^(?=a)${letters}$`,
      `^(?:${'(?=a)b'.repeat(500)})$`,
      // Each alternative doubles the time.
      ...['(?:|)', String.raw`(?:\b|\B)`, '(?:^|)', '(?:a?|b?)', '(?:(?=a)|)', '(?:a*|)'].map(
        (choice) => `(?=z)${choice.repeat(14)}b`,
      ),
    ].map((source) => {
      const isMatch = linearPattern(source, 'u').test('一');
      findBacktracking(source);
      expect(ran).not.toContain(source);
      return isMatch;
    });
    spy.mockRestore();
    expect(matches).toEqual([false, true, true, ...Array.from({ length: 6 }, () => false)]);
  });

  it('is compiled for RE2 when it is first used', () => {
    const spy = vi.spyOn(RE2JS, 'compile');
    // As many at once as a document may have would delay its start.
    const expression = linearPattern(String.raw`^(?:[ab]|\p{L}y)*a[ab]{9}$`, 'u');
    expect(spy).not.toHaveBeenCalled();
    for (let turn = 0; turn < 2; turn += 1) expect(expression.test('ab')).toBe(false);
    expect(spy).toHaveBeenCalledOnce();
    spy.mockRestore();
  });

  it('forgets its states on RE2 when those of all expressions take much memory', () => {
    const spy = vi.spyOn(RE2JS, 'compile');
    const expressions = Array.from({ length: 50 }, (_, index) =>
      linearPattern(String.raw`^(?:[ab]|\p{L}x)*a[ab]{9}${index}?$`, 'u'),
    );
    for (const each of expressions) each.test('ab');
    const compiled = spy.mock.calls.length;
    for (const text of ['ba', '1']) for (const each of expressions) each.test(text);
    expect(spy.mock.calls).toHaveLength(compiled);
    for (let turn = 0; turn < 2; turn += 1) {
      for (const each of expressions) each.test(`${'ab'.repeat(1_000)}!`);
    }
    expect(spy.mock.calls.length - compiled).toBeGreaterThan(50);
    spy.mockRestore();
  });

  it('stays with JavaScript where that is linear anyway', () => {
    for (const source of [
      '^0x[0-9a-f]*$',
      '^[1-9A-Za-z]{32,44}$',
      'abc',
      '^a{3}b{2}c?$',
      '^(?!0x)[a-z]*(?<!-)$',
      'a(?=[bc])',
      String.raw`^(?=.*[a-z])(?!.*\s)(?=.*\d).{8,}$`,
    ]) {
      expect(isPlain(nativeOf(source)!), source).toBe(true);
    }
    for (const source of [
      `^${`(?=.*${'a'.repeat(17)})`}`,
      `^a*${'a'.repeat(17)}`,
      '^a(?!a*)a*$',
      '^(?=a*b*)a',
      `^${'(?=a*)'.repeat(9)}`,
      '^(?=a){9}$',
      '^(?=(a+)+b)',
      '^(?=a{99})$',
      '^(?=a|b)$',
    ]) {
      expect(isPlain(nativeOf(source)!), source).toBe(false);
    }
  });

  it('that is not valid is refused as before', () => {
    expect(() => linearPattern('(', 'u')).toThrow(SyntaxError);
  });

  it('runs like this in validators, names of members included', () => {
    const schema = {
      properties: { text: { pattern: '^(a+)+$' } },
      patternProperties: { '^(b+)+$': false },
    };
    const validate = createAjv([{ id: 'all', schema }]).getSchema('all')!;
    const long = 'a'.repeat(5_000);
    expect(validate({ text: long })).toBe(true);
    expect(validate({ text: `${long}!` })).toBe(false);
    expect(validate({ [`${'b'.repeat(5_000)}!`]: 1 })).toBe(true);
  });

  it('compiles in a time in proportion to how many there are', () => {
    const count = atScale(30_000, 6_000);
    const allOf = Array.from({ length: count }, (_, index) => ({ pattern: `^${index}$` }));
    const validate = createAjv([{ id: 'all', schema: { allOf } }]).getSchema('all')!;
    expect(validate(`${count - 1}`)).toBe(false);
  });

  it('is matched with many texts unless there are many expressions too', () => {
    const value = (names: number): object =>
      Object.fromEntries(Array.from({ length: names }, (_, index) => [`name${index}`, index]));
    const validate = (patterns: number, names: number) => {
      const sources = Array.from({ length: patterns }, (_, index) => `^name${index}$`);
      const patternProperties = Object.fromEntries(
        sources.map((source) => [source, { type: 'integer' }]),
      );
      const ajv = createAjv([{ id: 'all', schema: { patternProperties } }]);
      return validateBounded(ajv.getSchema('all') as CompiledValidator, value(names));
    };
    expect(validate(20, 20_000)).toBeNull();
    expect(validate(1_000, 90)).toBeNull();
    expect(() => validate(2_000, 2_000)).toThrow(TooManyCallsError);
  });
});

it('every text matches an expression with too many nested groups for any engine', () => {
  const source = `${'('.repeat(20_000)}a${')'.repeat(20_000)}`;
  expect(() => new RegExp(source, 'u').test('a')).toThrow(SyntaxError);
  expect(linearPattern(source, 'u').test('b')).toBe(true);
});

it('every text matches an expression that is too large for any engine', () => {
  const source = '^(?:(?:(?:a?){1000}){1000}){1000}$';
  expect(() => new RegExp(source, 'u').test('aaa')).toThrow(RangeError);
  expect(linearPattern(source, 'u').test('aaa')).toBe(true);
  expect(linearPattern(String.raw`^(?=a)(?:\p{L}|b){9}`, 'u').test('c')).toBe(false);
  expect(linearPattern(String.raw`^(?=a)${String.raw`\p{L}`.repeat(200)}`, 'u').test('c')).toBe(
    true,
  );
});

it('repetitions that V8 would write out do not make an expression too large', () => {
  const source = '(?:(?:(?:(?=a){1,3}(?:aa{2})){1,3}a*){1,3}(?:.{1,3}aa{1,3})){1,3}';
  expect(linearPattern(source, 'u').test('b')).toBe(false);
});

it.each(['a{0,1000}', '(?:[^b]{10}){100}', '(?:b(?:a{0,10}){0,100}|c)'])(
  'many expressions with repetitions take bounded memory: %s',
  (repetition) => {
    const compile = vi.spyOn(RE2JS, 'compile');
    for (let index = 0; index < 20; index += 1) {
      linearPattern(`${index}${repetition.repeat(90)}`, 'u');
    }
    const made = compile.mock.results.filter(({ type }) => type === 'return');
    compile.mockRestore();
    const steps = made.reduce((sum, { value }) => sum + (value as RE2JS).programSize(), 0);
    expect(steps).toBeLessThan(600_000);
  },
);

it('expressions with lookaround take bounded memory: every text matches those beyond it', () => {
  forgetPatterns();
  const nested = `${'('.repeat(200)}a${')*'.repeat(200)}`;
  const results = Array.from({ length: 20 }, (_, index) =>
    linearPattern(`(?=b)${nested}${index}`, 'u').test('c'),
  );
  expect(results[0]).toBe(false);
  expect(results.at(-1)).toBe(true);
});
