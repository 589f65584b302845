import { expect, test } from 'vitest';
import { formatFiles } from '../../../generator/output/format.ts';

// Where it might be JSX, the comma stays; and to find that out takes the square of the length.
test('TypeScript is laid out as such, and not searched for JSX', async () => {
  const files = new Map([['a/client.ts', 'export const same = <T,>(value: T) => value\n']]);
  const formatted = await formatFiles(files);
  expect(formatted.get('a/client.ts')).toBe('export const same = <T>(value: T) => value;\n');
});
