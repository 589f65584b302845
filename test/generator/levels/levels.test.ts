import { describe, expect, test } from 'vitest';
import { levelsOf, type Levels, type Place } from '../../../generator/levels/levels.ts';

const base = { level: 'warning', options: { max: 1 } } as const;

const levelAt = (levels: Levels, place: Partial<Place> = {}) =>
  levelsOf('rule', base, levels).at({ methods: [], pointers: ['/methods/0/name'], ...place }).level;

const off = (at: string | readonly string[]) => ({ at, rules: { rule: 'off' } }) as const;

test('a rule has its own level unless a setting names it', () => {
  expect(levelAt({})).toBe('warning');
  expect(levelAt({ rules: { other: 'off' } })).toBe('warning');
  expect(levelAt({ rules: { rule: 'error' } })).toBe('error');
  expect(levelsOf('constructor', base, { rules: {} }).at({ methods: [], pointers: [''] })).toBe(
    base,
  );
});

describe('an override applies', () => {
  test.each<[string, string | readonly string[], Partial<Place>]>([
    ['to a method by its name', 'debug_trace', { methods: ['debug_trace'] }],
    ['to methods by a pattern', 'debug_*', { methods: ['debug_trace'] }],
    ['to a pattern in several parts', 'a*b*c', { methods: ['a-b-b-c'] }],
    ['at a pointer', '/methods/0/name', {}],
    ['below a pointer', '/methods/0', {}],
    ['below a pattern of pointers', '/methods/*/name', {}],
    ['to the whole document', '', {}],
    ['to one of several places', ['x', '/methods/0'], {}],
    ['at either place of a comparison', '/a', { pointers: ['/b', '/a/c'] }],
  ])('%s', (_, at, place) => {
    expect(levelAt({ overrides: [off(at)] }, place)).toBe('off');
  });

  test.each<[string, string, Partial<Place>]>([
    ['another method', 'debug_trace', { methods: ['debug_trace2'] }],
    ['a method that only begins like it', 'a*b', { methods: ['a-b-c'] }],
    ['a method shorter than the pattern', 'aba*aba', { methods: ['aba'] }],
    ['parts above the pointer', '/methods/0/name/x', {}],
    ['a pointer that begins with the same letters', '/methods/0/na', {}],
    ['a member named like a method', 'name', {}],
  ])('not to %s', (_, at, place) => {
    expect(levelAt({ overrides: [off(at)] }, place)).toBe('warning');
  });
});

test('later overrides win over earlier ones, and all over rules', () => {
  const rules = { rule: 'error' } as const;
  const info = { at: 'a*', rules: { rule: 'info' } } as const;
  expect(levelAt({ rules, overrides: [off('a'), info] }, { methods: ['a'] })).toBe('info');
  expect(levelAt({ rules, overrides: [info, off('a')] }, { methods: ['a'] })).toBe('off');
});

test('what affects several methods has the highest of their levels', () => {
  const overrides = [off('debug_*')];
  expect(levelAt({ overrides }, { methods: ['debug_a', 'eth_b'] })).toBe('warning');
  expect(levelAt({ overrides }, { methods: ['debug_a', 'debug_b'] })).toBe('off');
});

test('a level without options keeps those that apply; options replace the own ones by name', () => {
  const overrides = [
    { at: 'a*', rules: { rule: ['error', { max: 3 }] } },
    { at: '*b', rules: { rule: 'info' } },
  ] as const;
  const levels = levelsOf('rule', base, { rules: { rule: ['error', { max: 2 }] }, overrides });
  const at = (method: string) => levels.at({ methods: [method], pointers: ['/'] });
  expect(at('c')).toEqual({ level: 'error', options: { max: 2 } });
  expect(at('b')).toEqual({ level: 'info', options: { max: 2 } });
  expect(at('a')).toEqual({ level: 'error', options: { max: 3 } });
  expect(at('ab')).toEqual({ level: 'info', options: { max: 3 } });
});
