import { expect, test } from 'vitest';
import { bannerText } from '../../../generator/targets/banner.ts';

// The regular expression of PEP 263: a match in the first two lines sets the encoding of a Python file.
const ENCODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)/;

test.each([
  'a coding=utf-7 .json',
  'coding:raw_unicode_escape',
  'coding==utf-7',
  'x coding: utf-7',
])('the banner of a file named %j sets no encoding of Python', (source) => {
  expect(`# ${bannerText({ source })}`).not.toMatch(ENCODING);
});
