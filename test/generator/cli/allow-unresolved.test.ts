import { expect, test } from 'vitest';
import { runSpecgate } from './in-process.ts';

test.each(['bundle', 'changelog', 'check', 'diff', 'generate', 'mock', 'proxy'])(
  '%s has the way on that messages about references name',
  async (verb) => {
    const { stdout } = await runSpecgate([verb, '--help']);
    expect(stdout).toContain('--allow-unresolved');
  },
);
