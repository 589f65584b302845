import { expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

test.each(['check', 'convert', 'generate', 'mock', 'proxy', 'verify'])(
  '%s has the options that messages about references name',
  async (verb) => {
    const { stdout } = await runSpecgate([verb, '--help']);
    expect(stdout).toContain('--lenient');
    expect(stdout).toContain('--allow-remote');
  },
);

test.each(['bundle', 'changelog', 'diff', 'lint'])(
  '%s, which is always lenient, has the other one',
  async (verb) => {
    const { stdout } = await runSpecgate([verb, '--help']);
    expect(stdout).not.toContain('--lenient');
    expect(stdout).toContain('--allow-remote');
  },
);

test.each(['//host/x.json', 'file://host/x.json', 'a%2fb.json', '%ff%fe.json'])(
  'lint reports a reference to %s, which names no file, and continues',
  async ($ref) => {
    const text = JSON.stringify(documentOf([methodOf('a', { $ref }), methodOf('a', true)]));
    const cwd = temporaryFolder([['doc.json', text]]);
    const { stdout } = await runSpecgate(['lint', 'doc.json', '-f', 'json'], { cwd });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; message: string }[];
    };
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'reference-resolves',
        message: expect.stringMatching(/cannot be followed: file:.*: not the URL of a local file$/),
      }),
    );
    expect(diagnostics.map(({ code }) => code)).toContain('duplicate-method');
  },
);
