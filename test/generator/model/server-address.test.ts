import { expect, test } from 'vitest';
import { addressOf } from '../../../generator/model/server-address.ts';

const variables = { v: { default: 'x'.repeat(100) } };

test('an address has its variables at their defaults', () => {
  const url = 'https://{v}.example.org/${v}/{w}';
  expect(addressOf({ url, variables: { v: { default: 'a' } } }, null)).toBe(
    'https://a.example.org/a/{w}',
  );
});

test('an address that its variables make too long is ignored', () => {
  const url = (count: number): string => `https://example.org/${'{v}'.repeat(count)}`;
  expect(addressOf({ url: url(50), variables }, null)).toHaveLength(5_020);
  expect(addressOf({ url: url(100), variables }, null)).toBe(null);
  expect(addressOf({ url: url(14_000), variables }, 'https://example.org/')).toBe(null);
});
