import { expect, test } from 'vitest';
import { formatFiles } from '../../../generator/output/format.ts';

// In JSX the comma would stay, and searching for JSX takes quadratic time.
test('TypeScript is formatted without searching for JSX', async () => {
  const files = new Map([['a/client.ts', 'export const same = <T,>(value: T) => value\n']]);
  const formatted = await formatFiles(files);
  expect(formatted.get('a/client.ts')).toBe('export const same = <T>(value: T) => value;\n');
});
