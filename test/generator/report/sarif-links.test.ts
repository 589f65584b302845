import { expect, test } from 'vitest';
import type { Report } from '../../../generator/report/report.ts';
import { renderReport } from '../../../generator/report/render.ts';

test('texts of a document do not become links in SARIF', () => {
  const message = String.raw`[a](b:c) [a\](b) [a\\](b) [a] (b)`;
  const report: Report = {
    verb: 'lint',
    version: '1.0.0',
    files: ['a.json'],
    rules: [],
    diagnostics: [
      {
        code: 'a',
        severity: 'error',
        message,
        location: { file: 'a.json', line: 1, column: 1, pointer: '' },
      },
    ],
    texts: new Map(),
    root: '/',
  };
  expect(JSON.parse(renderReport(report, 'sarif'))).toMatchObject({
    runs: [{ results: [{ message: { text: String.raw`[a\](b:c) [a\](b) [a\\\](b) [a] (b)` } }] }],
  });
});
