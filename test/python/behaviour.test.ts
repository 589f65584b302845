/** How the Python client behaves beyond the vectors: its own tests, in its own language. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { python, runPython } from './support/python.ts';

test.skipIf(python === null)(
  'the Python client keeps to HTTP/1.1 and RFC 6455, to its bounds and to what its README says',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'specgate-python-'));
    try {
      const { certFile, keyFile } = makeCertificate(folder, 'localhost');
      const script = join(import.meta.dirname, 'support/behaviour.py');
      const { code, stderr } = await runPython(['-W', 'error', script, certFile, keyFile]);
      // unittest reports on stderr, a line for each test.
      const failed = stderr.split('\n').filter((line) => /\.\.\. (?!ok$|skipped )/.test(line));
      expect(code, stderr).toBe(0);
      expect(failed).toEqual([]);
      expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(30);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  90_000,
);
