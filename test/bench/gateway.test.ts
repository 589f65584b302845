import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BASELINE } from '../../bench/contenders.ts';
import { subjects, type Measured } from '../../bench/run.ts';
import { atScale } from '../support/soak.ts';

const file = fileURLToPath(new URL('../../bench/gateway.ts', import.meta.url));
const RUN_MS = 120_000;
/** A quarter of a minute, and no part of the product: only in `npm run test:soak`. */
const isThorough = atScale(true, false);

async function runBench(
  args: readonly string[],
  temporary = tmpdir(),
): Promise<{ code: number; output: string; errors: string }> {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close') as Promise<[number]>;
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
  ]);
  return { code, output, errors };
}

/** Command lines of all processes that name `path`; empty on systems without /proc. */
function processesNaming(path: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return line.includes(path) ? [line] : [];
    } catch {
      return [];
    }
  });
}

describe('the benchmark', () => {
  it.runIf(isThorough)(
    'measures every server under every workload, prints rows of JSON and leaves nothing behind',
    { timeout: RUN_MS },
    async () => {
      const temporary = mkdtempSync(join(tmpdir(), 'bench-test-'));
      onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
      const { code, output, errors } = await runBench(['--json', '--seconds', '1'], temporary);
      expect(errors).toBe('');
      expect(code).toBe(0);
      const { rows, fairness, ...others } = JSON.parse(output) as Measured;
      expect(others).toEqual({});
      expect(fairness).toEqual(
        ['alone', 'beside a flood'].map((name) => ({
          name,
          ms_per_call: expect.any(Number) as number,
          answered_percent: 100,
        })),
      );
      expect(rows.map(({ workload, name }) => [workload, name])).toEqual(
        subjects.workloads.flatMap((workload) => subjects.names.map((name) => [workload, name])),
      );
      for (const row of rows) {
        expect(Object.keys(row)).toEqual([
          'workload',
          'name',
          'cpu_us_per_request',
          'requests_per_s',
        ]);
        const one = rows.find(
          ({ workload, name }) => workload === row.workload && name === BASELINE,
        )!;
        for (const unit of ['cpu_us_per_request', 'requests_per_s'] as const) {
          expect(row[unit]).toBeGreaterThan(0);
          expect(row[unit] / one[unit]).toSatisfy(Number.isFinite);
        }
      }
      expect(readdirSync(temporary)).toEqual([]);
      expect(processesNaming(temporary)).toEqual([]);
    },
  );

  it.each(['--seconds=0', '--seconds=many', '--no-such-option'])(
    'refuses %s with a line that says so',
    async (argument) => {
      const { code, output, errors } = await runBench([argument]);
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(errors).toMatch(/^bench: .+\n\nusage: /);
    },
  );
});
