import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import { AS_RENDERED, formatFiles } from '../../../generator/output/format.ts';
import { loadTargets } from '../../../generator/targets/index.ts';
import { modelOf } from '../support/document.ts';

// In JSX the comma would stay, and searching for JSX takes quadratic time.
test('TypeScript is formatted without searching for JSX', async () => {
  const files = new Map([['a/client.ts', 'export const same = <T,>(value: T) => value\n']]);
  const formatted = await formatFiles(files);
  expect(formatted.get('a/client.ts')).toBe('export const same = <T>(value: T) => value;\n');
});

test('Markdown with a very long line stays as rendered', async () => {
  const [short, long] = [100, 5000].map((length) => `# Title\nA line  ${'*a_ '.repeat(length)}\n`);
  const formatted = await formatFiles(
    new Map([
      ['README.md', short!],
      ['long.md', long!],
    ]),
  );
  expect(formatted.get('README.md')).toContain('# Title\n\nA line *a_ ');
  expect(formatted.get('long.md')).toBe(long);
});

test('Copies of our own sources are formatted as they are', async () => {
  const method = { name: 'ping', params: [], result: { name: 'pong', schema: { type: 'string' } } };
  const model = await modelOf({
    openrpc: '1.3.2',
    info: { title: 'Ping', version: '1.0.0' },
    methods: [method],
  });
  const copies = new Map<string, string>();
  for (const { render } of await loadTargets()) {
    for (const [path, text] of await render(model, { source: 'openrpc.json' })) {
      if (AS_RENDERED.test(path) && !path.endsWith('validators.js')) copies.set(path, text);
    }
  }
  expect(copies.size).toBeGreaterThan(30);
  for (const [path, text] of copies) {
    const { code } = await format(path, text, { printWidth: 100, singleQuote: true });
    expect(code, path).toBe(text);
  }
});
