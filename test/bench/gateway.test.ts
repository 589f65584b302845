import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GoalRow } from '../../bench/goals.ts';
import { describeRow, rows as planned, selectRows } from '../../bench/rows.ts';
import type { Measured } from '../../bench/run.ts';
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
    env: { ...process.env, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1' },
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
    'measures every row, slow readers and fairness, prints JSON and leaves nothing behind',
    { timeout: RUN_MS },
    async () => {
      const temporary = mkdtempSync(join(tmpdir(), 'bench-test-'));
      onTestFinished(() => rmSync(temporary, { recursive: true, force: true }));
      const { code, output, errors } = await runBench(['--json', '--seconds', '1'], temporary);
      expect(errors).toBe('');
      expect(code).toBe(0);
      const { rows, memory, fairness, goals, ...others } = JSON.parse(output) as Measured & {
        goals: readonly GoalRow[];
      };
      expect(others).toEqual({});
      expect(fairness).toEqual(
        ['alone', 'beside a flood'].map((name) => ({
          name,
          ms_per_call: expect.any(Number) as number,
          answered_percent: 100,
        })),
      );
      expect(memory.map(({ read_bytes }) => read_bytes > 1_000_000)).toEqual([true, true, true]);
      expect(rows.map(describeRow)).toEqual(planned.map(describeRow));
      for (const { samples } of rows) {
        for (const value of samples.flatMap((sample) => Object.values(sample))) {
          expect(value).toBeGreaterThan(0);
        }
      }
      expect(goals.filter(({ measured }) => measured === null)).toEqual([]);
      expect(readdirSync(temporary)).toEqual([]);
      expect(processesNaming(temporary)).toEqual([]);
    },
  );

  it.runIf(isThorough)(
    'measures some rows, and writes a profile of each and a chart',
    { timeout: RUN_MS },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'bench-test-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const [profiles, svg] = [join(folder, 'profiles'), join(folder, 'goals.svg')];
      const args = ['--only', 'small call: specgate ws: 64', '--seconds', '1', '--svg', svg];
      const { code, output, errors } = await runBench([...args, '--profile', profiles]);
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      expect(output).toMatch(/small call, WebSocket upstream +\d+\.\d+ × .*met/);
      expect(readdirSync(profiles)).toEqual([
        'small-call-bare-pass-through-64.cpuprofile',
        'small-call-specgate-ws-64.cpuprofile',
      ]);
      expect(readFileSync(svg, 'utf8')).toContain('small call, WebSocket upstream');
    },
  );

  it('selects rows by text, with the rows that they are compared with', () => {
    expect(selectRows(['half load: specgate ws']).map(describeRow)).toEqual([
      'small call: specgate ws: 64',
      'half load: bare pass-through: 64',
      'half load: specgate ws: 64',
    ]);
    expect(selectRows(['caller on WebSocket: specgate http']).map(describeRow)).toEqual([
      'small call: bare pass-through: 64',
      'small call: specgate http: 64',
      'caller on WebSocket: specgate http: 64',
    ]);
  });

  it.each(['--seconds=0', '--seconds=many', '--no-such-option', '--only=no such row'])(
    'refuses %s with a line that says so',
    async (argument) => {
      const { code, output, errors } = await runBench([argument]);
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(errors).toMatch(/^bench: .+\n\nusage: /);
    },
  );
});
