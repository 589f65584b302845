import { describe, expect, test } from 'vitest';
import {
  readArguments,
  type Route,
} from '../../../generator/targets/client/runtime/build-client.ts';

const route = (kind: 'by-position' | 'by-name' | 'either', params = ['a', 'b', 'c']): Route => [
  kind === 'by-name' ? Math.min(1, params.length) : params.length,
  null,
  false,
  {
    ...(kind === 'by-name' ? { named: true } : {}),
    ...(kind === 'either' ? { names: params } : {}),
  },
];

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
    expect(readArguments(route('by-position'), args)).toEqual([params, undefined]);
  });

  test('by position take call options after the last parameter', () => {
    const args = [1, undefined, undefined, options];
    expect(readArguments(route('by-position'), args)).toEqual([[1], options]);
  });

  test('either way go by name only if one before the last is omitted', () => {
    expect(readArguments(route('either'), [1, 2])[0]).toEqual([1, 2]);
    expect(readArguments(route('either'), [1, undefined, 3])[0]).toEqual({ a: 1, c: 3 });
  });

  test('by name are one object, then call options', () => {
    const params = { a: 1, c: 3 };
    expect(readArguments(route('by-name'), [params, options])).toEqual([params, options]);
    expect(readArguments(route('by-name'), [])).toEqual([{}, undefined]);
  });

  test.each(['by-name', 'by-position'] as const)(
    'without parameters are the call options (%s)',
    (structure) => {
      expect(readArguments(route(structure, []), [options])[1]).toBe(options);
    },
  );

  test('beyond those of the method are sent to the server', () => {
    const given = readArguments(route('by-position'), [1, 2, 3, options, 5]);
    expect(given).toEqual([[1, 2, 3, 5], options]);
  });
});
