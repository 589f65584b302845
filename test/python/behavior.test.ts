/** Runs the Python client's own tests, which cover behavior beyond the vectors. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { python, runPython } from './support/python.ts';

test.skipIf(python === null)(
  'the Python client follows HTTP/1.1, RFC 6455, its limits and its README',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'specgate-python-'));
    try {
      const { certFile, keyFile } = makeCertificate(folder, 'localhost');
      const script = join(import.meta.dirname, 'support/behavior.py');
      const { code, stderr } = await runPython(['-W', 'error', script, certFile, keyFile]);
      // unittest reports to stderr.
      const failed = stderr.split('\n').filter((line) => /\.\.\. (?!ok$|skipped )/.test(line));
      expect(code, stderr).toBe(0);
      expect(failed).toEqual([]);
      expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).toBeGreaterThan(30);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
