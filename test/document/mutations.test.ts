/**
 * Breaks each statement of the traceability page in a copy of the project, and requires that the tests
 * it cites fail. Takes half an hour, so it is part of `npm run test:soak` only.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileOf, mutate, mutations, root, rows, type Citation } from '../support/traceability.ts';

const run = promisify(execFile);
const source = fileURLToPath(root);
const NOT_COPIED = new Set(['node_modules', '.git', 'dist']);
const COMMAND_TIMEOUT_MS = 300_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The variables of the process, without those that vitest and the soak run have set. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|SPECGATE_|TEST$|MODE$|DEV$|PROD$)/.test(name),
  ),
);

function node(copy: string, ...args: readonly string[]): Promise<{ stdout: string }> {
  const options = { cwd: copy, env, timeout: COMMAND_TIMEOUT_MS, maxBuffer: OUTPUT_BYTES };
  return run(process.execPath, args, options);
}

/** A title as it is reported: placeholders stand for the values of the case. */
function patternOf({ title }: Citation): string {
  const escaped = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return escaped.replaceAll(/%s|\\\$\w+/g, '.*');
}

/** Runs only the cited tests, in the copy. */
async function runTests(copy: string, tests: readonly Citation[]): Promise<Report> {
  const file = join(copy, 'report.json');
  rmSync(file, { force: true });
  const files = [...new Set(tests.map((cited) => cited.file))];
  const titles = [...new Set(tests.map(patternOf))].join('|');
  const args = ['run', ...files, '-t', titles, '--reporter=json', `--outputFile=${file}`];
  // It fails when a test does; without a report, the tests did not run.
  const failed = await node(copy, 'node_modules/vitest/vitest.mjs', ...args).catch(String);
  expect(existsSync(file), String(failed)).toBe(true);
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

/** Returns what became of a cited test: the outcome of each of its cases, with the first line of a failure. */
function outcomesOf(report: Report, cited: Citation): readonly string[] {
  const results = report.testResults.filter(({ name }) => name.endsWith(cited.file));
  const title = new RegExp(patternOf(cited));
  return results
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName, status }) => title.test(fullName) && status !== 'skipped')
    .map(({ status, failureMessages: [first = ''] }) => `${status} ${first.split('\n')[0]}`)
    .concat(results.map(({ message }) => message).filter(Boolean));
}

describe('a test that the traceability page cites', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'specgate-mutation-'));
    const filter = (path: string): boolean => !NOT_COPIED.has(basename(path));
    cpSync(source, copy, { recursive: true, filter });
    symlinkSync(join(source, 'node_modules'), join(copy, 'node_modules'));
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test(
    'succeeds in an unchanged copy',
    async () => {
      const cited = rows.flatMap(({ tests }) => tests);
      const report = await runTests(copy, cited);
      for (const one of cited) {
        const outcomes = outcomesOf(report, one);
        expect(outcomes.length, one.title).toBeGreaterThan(0);
        expect(outcomes.filter((outcome) => !outcome.startsWith('passed'))).toEqual([]);
      }
    },
    2 * COMMAND_TIMEOUT_MS,
  );

  test.each(mutations.map((mutation) => [mutation.name, mutation] as const))(
    'fails when its statement is broken: %s',
    async (_, mutation) => {
      const file = fileOf(mutation);
      const text = readFileSync(join(source, file), 'utf8');
      // Tests of the document read nothing that is generated from it.
      const isOfDocument = mutation.tests.every((one) => one.file.startsWith('test/document/'));
      const isGenerated = mutation.at !== undefined && !isOfDocument;
      try {
        writeFileSync(join(copy, file), mutate(text, mutation));
        if (isGenerated) await node(copy, 'bin/specgate.ts', 'generate');
        const report = await runTests(copy, mutation.tests);
        for (const cited of mutation.tests) {
          const outcomes = outcomesOf(report, cited);
          const isKilled = outcomes.some((outcome) => outcome.startsWith('failed AssertionError'));
          expect(isKilled, `${cited.title}: ${outcomes.slice(0, 5).join('\n')}`).toBe(true);
        }
      } finally {
        writeFileSync(join(copy, file), text);
        const folder = join(copy, 'generated');
        if (isGenerated) cpSync(join(source, 'generated'), folder, { recursive: true });
      }
    },
    2 * COMMAND_TIMEOUT_MS,
  );
});
