import { describe, expect, test } from 'vitest';
import {
  readArguments,
  type Route,
} from '../../../generator/targets/client/runtime/call-arguments.ts';

const route = (kind: 'by-position' | 'by-name' | 'either', params = ['a', 'b', 'c']): Route => ({
  arity: kind === 'by-name' ? Math.min(1, params.length) : params.length,
  ...(kind === 'by-name' ? { named: true } : {}),
  ...(kind === 'either' ? { names: params } : {}),
});

describe('the arguments of a member', () => {
  const options = { timeoutMs: 5 };

  test.each([
    ['all given', [1, 2, 3], [1, 2, 3]],
    ['the last left out', [1, 2], [1, 2]],
    ['the last undefined', [1, undefined, undefined], [1]],
    ['none', [], []],
    ['null is a value', [1, null, null], [1, null, null]],
    [
      'one left out before a given one (JSON writes null there)',
      [1, undefined, 3],
      [1, undefined, 3],
    ],
  ])('by position: %s', (_, args, params) => {
    expect(readArguments(route('by-position'), args)).toEqual({ params });
  });

  test('by position take call options after the last parameter', () => {
    const args = [1, undefined, undefined, options];
    expect(readArguments(route('by-position'), args)).toEqual({ params: [1], options });
  });

  test('either way go by name only where one is left out before a given one', () => {
    expect(readArguments(route('either'), [1, 2]).params).toEqual([1, 2]);
    expect(readArguments(route('either'), [1, undefined, 3]).params).toEqual({ a: 1, c: 3 });
  });

  test('by name are one object, then call options', () => {
    const params = { a: 1, c: 3 };
    expect(readArguments(route('by-name'), [params, options])).toEqual({ params, options });
    expect(readArguments(route('by-name'), [])).toEqual({ params: {} });
  });

  test.each(['by-name', 'by-position'] as const)(
    'without parameters are the call options (%s)',
    (structure) => {
      expect(readArguments(route(structure, []), [options]).options).toBe(options);
    },
  );

  test('may not be more than the method has', () => {
    expect(() => readArguments(route('by-position'), [1, 2, 3, {}, 5])).toThrow(
      'pass 3 arguments and options, not 5',
    );
  });
});
