import { DocumentError } from '../../../common/diagnostic.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { joinPointer } from '../../../common/json/pointer.ts';
import type { Json } from '../../../common/json/value.ts';
import { decodeText } from '../../../generator/source/decode.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { atScale } from '../../support/soak.ts';

function parse(name: string, text: string) {
  return parseSource({ name, url: `file:///${name}`, text });
}

function diagnostics(name: string, text: string): string {
  try {
    parse(name, text);
  } catch (error) {
    if (error instanceof DocumentError) return error.message;
    throw error;
  }
  throw new Error('the text was accepted');
}

describe('invalid JSON is reported with line and column', () => {
  test.each([
    ['{"a":1,}', 'x.json:1:8: invalid JSON: expected double-quoted property name'],
    ['{"a":\n [1,2', "x.json:2:6: invalid JSON: expected ',' or ']' after array element"],
    ['', 'x.json:1:1: invalid JSON: unexpected end of JSON input'],
    ['{\n\t"a": tru}', "x.json:2:10: invalid JSON: unexpected token '}'"],
    ['{"a": "x\ny"}', 'x.json:1:9: invalid JSON: bad control character in string literal'],
    ['{"a":1}}', 'x.json:1:8: invalid JSON: unexpected non-whitespace character after JSON'],
    [`{"a": "${'long '.repeat(50)}",\n\n  b: 1}`, 'x.json:3:3: invalid JSON: expected double'],
  ])('%j', (text, message) => {
    expect(diagnostics('x.json', text)).toContain(message);
  });
});

describe('YAML that is invalid or not representable as JSON is reported with line and column', () => {
  test.each([
    ['a: [1,2\nb: 3', 'x.yaml:2:1: invalid YAML: flow sequence'],
    ['a: *none', 'x.yaml:1:1: cannot be converted to JSON: unresolved alias'],
    ['a: &a [*a]', 'x.yaml:1:8: this alias refers to a node that contains it'],
    [
      'a:\n  b: !!js/function "x"',
      'x.yaml:2:6: this value with the tag !!js/function cannot be represented in JSON; remove the tag',
    ],
    ['a: !custom {b: 1}', 'x.yaml:1:4: this value with the tag !custom cannot'],
    ['a: !!binary aGk=', 'x.yaml:1:4: this value with the tag !!binary cannot'],
    ['a: !!timestamp 2020-01-01', 'x.yaml:1:4: this value with the tag !!timestamp cannot'],
    ['a: !!int b', 'x.yaml:1:4: this value with the tag !!int cannot'],
    ['? [a, b]\n: 1', 'x.yaml:1:3: this key is a list; JSON has only text; write the key as text'],
    ['a:\n  {b: 1}: 2', 'x.yaml:2:3: this key is a map; JSON has only text'],
    ['a: &a b\n*a : 1', 'x.yaml:2:1: this key is an alias; JSON has only text'],
    ['!key a: 1', 'x.yaml:1:1: this value with the tag !key cannot'],
  ])('%j', (text, message) => {
    expect(diagnostics('x.yaml', text)).toContain(message);
  });

  test('every syntax error of a text', () => {
    expect(diagnostics('x.yaml', '- a\nb: 1').split('\n').length).toBeGreaterThan(1);
  });
});

test('tags of the types of JSON are read', () => {
  const text = 'a: !!str 5\nb: !!int "5"\nc: !!map {d: !!seq [!!bool true, !!null ""]}';
  expect(parse('x.yaml', text).value).toEqual({ a: '5', b: 5, c: { d: [true, null] } });
});

describe('a duplicate member name is reported with both positions', () => {
  test.each([
    [
      'x.json',
      '{"a": 1,\n "b": [{}, {"c/d": 1, "c/d": 2}]}',
      'x.json:2:23 #/b/1/c~1d: duplicate name "c/d" (first at 2:13)',
    ],
    ['x.json', '{"a": 1, "\\u0061": 1}', 'x.json:1:10 #/a: duplicate name "a" (first at 1:2)'],
    [
      'x.json',
      '{"a": {"a": "a"}, "b": ["a", "a", {"a": 1}], "c": {"a": ":"}, "a" : 2}',
      'x.json:1:63 #/a: ',
    ],
    ['x.yaml', 'a: 1\na: 2', 'x.yaml:2:1 #/a: duplicate name "a" (first at 1:1)'],
    ['x.yaml', '- 1: x\n  "1": y', 'x.yaml:2:3 #/0/1: duplicate name "1" (first at 1:3)'],
  ])('%s %j', (name, text, message) => {
    const [first, ...more] = diagnostics(name, text).split('\n');
    expect(first).toContain(message);
    expect(first).toMatch(/; remove one of them: JSON parsers differ in which one they use$/);
    expect(more).toEqual([]);
  });

  test('every duplicate is reported', () => {
    expect(diagnostics('x.json', '{"a":1,"a":2,"b":{"c":1,"c":2},"a":3}').split('\n')).toHaveLength(
      3,
    );
    expect(diagnostics('x.yaml', 'a: 1\na: 2\nb: {c: 1, c: 2}\na: 3').split('\n')).toHaveLength(3);
  });

  test('equal names in different objects or in strings are allowed', () => {
    const text = '{"a": {"a": [{"a": 1}, {"a": "\\"a\\":"}]}, "b": {"a": "{\\"x\\":1,\\"x\\":2}"}}';
    expect(parse('x.json', text).value).toEqual(JSON.parse(text));
    expect(parse('x.yaml', text).value).toEqual(JSON.parse(text));
    const merged = 'a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n  z: 3';
    expect(parse('x.yaml', merged).value).toMatchObject({ c: { x: 1, y: 2, z: 3 } });
  });
});

test.each([
  ['x.json', '{"a": [1e308, 1e400]}', 'x.json:1:15: 1e400 cannot be represented in JSON; '],
  ['x.json', `{"a": ${'9'.repeat(400)}}`, `x.json:1:7: ${'9'.repeat(37)}… cannot be represented`],
  ['x.yaml', 'a: 1\nb: .inf', 'x.yaml:2:4: .inf cannot be represented in JSON; '],
  ['x.yaml', 'a: .nan', 'x.yaml:1:4: .nan cannot be represented'],
])('%s: a number that would silently become null is reported', (name, text, message) => {
  expect(diagnostics(name, text)).toContain(message);
  expect(parse('x.json', '{"a":"1e999","b":1E+0100}').value).toEqual({ a: '1e999', b: 1e100 });
});

test.each(['---\n', '---', '--- # the end\n...\n', '\n---\n# nothing\n\n---\n'])(
  'a YAML text may end in empty documents: %j',
  (end) => {
    const { value, positionOf } = parse('x.yaml', `a: 1\nb: {}\n${end}`);
    expect(value).toEqual({ a: 1, b: {} });
    expect(positionOf('/b')).toEqual({ line: 2, column: 1 });
  },
);

test('a second document in one YAML text is refused', () => {
  expect(diagnostics('x.yaml', 'a: 1\n---\na: 2\n')).toBe(
    'x.yaml:2:1: expected one YAML document, but a second one begins here; put each in its own file, or remove the "---" before it',
  );
  expect(parse('x.yaml', '%YAML 1.2\n---\na: 1\n...\n').value).toEqual({ a: 1 });
});

test.each([
  [Buffer.from('\uFEFF{}', 'utf16le'), 'x.json: it is UTF-16; save it as UTF-8'],
  [Buffer.from('{"a":"\u00e9"}', 'latin1'), 'x.json: it is not valid UTF-8; save it as UTF-8'],
])('bytes that are not UTF-8 are refused', (bytes, message) => {
  expect(() => decodeText(bytes, 'x.json')).toThrow(message);
  expect(decodeText(Buffer.from('\uFEFF{"a":"é"}'), 'x.json')).toBe('\uFEFF{"a":"é"}');
});

test.each([
  ['spec.yml', 'a: {b: 1}'],
  ['spec.json', '{"a":{"b":1}}'],
  ['<stdin>', '  {"a":{"b":1}}'],
  ['<stdin>', 'a:\n  b: 1'],
  ['https://example.org/spec.yaml?raw=1', 'a:\n  b: 1'],
  ['with-mark.json', '\uFEFF{"a":{"b":1}}'],
])('%s is read in its format', (name, text) => {
  expect(parse(name, text).value).toEqual({ a: { b: 1 } });
});

test('a YAML merge key adds the members it names and is not a member itself', () => {
  const text = 'a: &one {c: 1, d: 2}\nb:\n  <<: *one\n  d: 3';
  expect(parse('x.yaml', text).value).toEqual({ a: { c: 1, d: 2 }, b: { c: 1, d: 3 } });
});

test('an alias of YAML becomes a copy', () => {
  const { a, b } = parse('x.yaml', 'a: &one {c: 1}\nb: *one').value as Record<string, object>;
  expect(b).toEqual({ c: 1 });
  expect(b).not.toBe(a);
});

test('an alias of YAML refers to the nearest anchor of its name before it', () => {
  const text = '- &one a\n- *one\n- &one b\n- {k: *one}';
  expect(parse('x.yaml', text).value).toEqual(['a', 'a', 'b', { k: 'b' }]);
});

test('the aliases of YAML are resolved without a search for each', () => {
  const count = atScale(100_000, 20_000);
  const anchors = Array.from({ length: count }, (_, index) => `- &a${index} ${index}\n`);
  const aliases = anchors.map((_, index) => `- *a${index}\n`);
  const value = parse('x.yaml', anchors.join('') + aliases.join('')).value as readonly number[];
  expect(value.slice(-2)).toEqual([count - 2, count - 1]);
});

test('aliases of YAML that stand for too many values are refused, also if they are empty', () => {
  const lines = Array.from(
    { length: 60 },
    (_, index) => `- &a${index + 1} [*a${index}, *a${index}]`,
  );
  expect(diagnostics('x.yaml', ['- &a0 []', ...lines].join('\n'))).toContain(
    'x.yaml:1:1: cannot be converted to JSON: its aliases expand to more than 5000000 values; replace the aliases with their values',
  );
});

describe('a JSON pointer maps to a line and column', () => {
  const json = '{\n  "a": {\n    "b/c": [1,\n      {"d": 2}]\n  }\n}';
  const yaml = 'a:\n  b/c:\n    - 1\n    - d: 2\n';

  test.each([
    ['', { line: 1, column: 1 }],
    ['/a', { line: 2, column: 3 }],
    ['/a/b~1c/0', { line: 3, column: 13 }],
    ['/a/b~1c/1/d', { line: 4, column: 8 }],
    ['/a/none/below', { line: 2, column: 3 }],
  ])('%j in JSON', (pointer, position) => {
    expect(parse('x.json', json).positionOf(pointer)).toEqual(position);
  });

  test.each([
    ['/a/b~1c', { line: 2, column: 3 }],
    ['/a/b~1c/1/d', { line: 4, column: 7 }],
  ])('%j in YAML', (pointer, position) => {
    expect(parse('x.yaml', yaml).positionOf(pointer)).toEqual(position);
  });
});

test('positions in JSON are those of the same text read as YAML', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../openrpc.json'), 'utf8');
  const odd = '\uFEFF{ "a/b" : [ 1,"x\\"]", {"~":null ,"é\\u0041":[[],{}]}],\r\n\t"":\n-1.5e3 }';
  for (const each of [odd, text, '[]', '7']) {
    const json = parse('x.json', each);
    const yaml = parse('x.yaml', each);
    const pointers = [...pointersOf(json.value), '/none', '/a~1b/9/x', '/a~1b/2/x'];
    for (const pointer of pointers) {
      expect(json.positionOf(pointer), pointer).toEqual(yaml.positionOf(pointer));
    }
  }
});

function pointersOf(value: Json, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  const below = Object.entries(value).flatMap(([key, member]) =>
    pointersOf(member as Json, joinPointer(pointer, key)),
  );
  return [pointer, ...below];
}

test('many repeated names of a JSON text are each reported at their position', () => {
  const lines = Array.from({ length: 31_000 }, (_, index) => `"name${index % 30_000}": 1`);
  const found = diagnostics('x.json', `{\n${lines.join(',\n')}\n}`).split('\n');
  expect(found).toHaveLength(1000);
  expect(found.at(-1)).toContain('x.json:31001:1 #/name999: duplicate name "name999"');
});
