import { expect, test } from 'vitest';
import { nameOfTitle } from '../../../generator/targets/client-view/package.ts';

test('the name of a package has as many words of the title as fit', () => {
  expect(nameOfTitle('Node Service')).toBe('node-service-client');
  const long = nameOfTitle('ab '.repeat(100_000));
  expect(long).toMatch(/^(?:ab-)+client$/);
  expect(nameOfTitle('ab '.repeat(200))).toBe(long);
});
