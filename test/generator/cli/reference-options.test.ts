import { expect, test } from 'vitest';
import { runSpecgate } from './in-process.ts';

test.each(['bundle', 'changelog', 'check', 'convert', 'diff', 'generate', 'mock', 'proxy'])(
  '%s has the options that messages about references name',
  async (verb) => {
    const { stdout } = await runSpecgate([verb, '--help']);
    expect(stdout).toContain('--allow-unresolved');
    expect(stdout).toContain('--allow-remote');
  },
);

test('lint, which leaves every reference open, has the other one', async () => {
  expect((await runSpecgate(['lint', '--help'])).stdout).toContain('--allow-remote');
});
