import { describe, expect, it } from 'vitest';
import { readAcceptEncoding } from '../../src/transport/compression.ts';

describe('Accept-Encoding', () => {
  it.each([
    [undefined, undefined, false],
    ['', undefined, false],
    ['gzip', 'gzip', false],
    ['x-gzip', 'gzip', false],
    ['GZIP', 'gzip', false],
    ['br', 'br', false],
    ['gzip, deflate, br', 'br', false],
    ['gzip, deflate', 'gzip', false],
    ['deflate, zstd', undefined, false],
    ['*', 'br', false],
    ['br;q=0, *', 'gzip', false],
    ['gzip;q=1.0, br;q=0.5', 'gzip', false],
    ['gzip ; q=0.4 , br ; q=0.5', 'br', false],
    ['gzip;q=0.001', 'gzip', false],
    ['gzip;q=0', undefined, false],
    ['gzip;q=0, br;q=0', undefined, false],
    ['identity', undefined, false],
    // Likes answers as they are better than made smaller.
    ['identity, gzip;q=0.5', undefined, false],
    ['identity;q=0.5, gzip;q=0.5', 'gzip', false],
    ['identity;q=0.5, gzip;q=0.4, br;q=0.6', 'br', false],
    // Takes no answer as it is.
    ['identity;q=0, gzip', 'gzip', true],
    ['*;q=0, br', 'br', true],
    ['*;q=0, identity;q=0.1, gzip;q=0.2', 'gzip', false],
    ['identity;q=0.000, *', 'br', true],
    // Nothing we have: the header is disregarded.
    ['identity;q=0', undefined, false],
    ['*;q=0', undefined, false],
    ['identity;q=0, zstd', undefined, false],
    // Written wrongly.
    ['gzip;q=2', undefined, false],
    ['gzip;q=-1, br', 'br', false],
    ['gzip;level=9', undefined, false],
    [', ;;, gzip', 'gzip', false],
    // Too long to read.
    [`${'a, '.repeat(165)}identity;q=0,gzip`, 'gzip', true],
    [`${'a, '.repeat(166)}identity;q=0,gzip`, undefined, false],
  ])('%j means %s, required: %s', (header, coding, isRequired) => {
    expect(readAcceptEncoding(header)).toEqual({ coding, isRequired });
  });
});
