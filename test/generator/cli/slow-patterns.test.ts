import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

test('a pattern that lint finds too slow is a warning where validators are written', async () => {
  const schema = { type: 'string', pattern: '^(a+)+$' };
  const cwd = temporaryFolder([
    ['openrpc.json', JSON.stringify(documentOf([methodOf('a', schema)]))],
  ]);
  const of = (...args: readonly string[]) => runSpecgate(['generate', ...args], { cwd });
  const { status, stderr } = await of('--target', 'validators');
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^warning: openrpc\.json:1:\d+ #\/methods\/0\/params\/0\/schema\/pattern: the pattern "\^\(a\+\)\+\$" backtracks exponentially, .*\(pattern-backtracking\)\n$/,
  );
  expect((await of('--target', 'docs', '--out', 'site')).stderr).toBe(stderr);
  expect((await of('--target', 'types')).stderr).toBe('');
});
