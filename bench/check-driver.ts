// Our load generator beside well-known ones, on the same server with the same requests.
import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BASELINE } from './contenders.ts';
import { measure, type Sample } from './measure.ts';
import { CONNECTIONS, rows, workloadOf, type Row } from './rows.ts';
import { median, planRounds, runRounds } from './rounds.ts';
import { withBench } from './run.ts';
import { formatRows } from './table.ts';

/** What a load generator reports; the CPU time is the server's. */
type Reported = Omit<Sample, 'cpu_us_per_request'> & { readonly requests: number };

interface Target {
  readonly url: string;
  readonly body: string;
  readonly seconds: number;
  readonly folder: string;
}

interface Generator {
  readonly name: string;
  readonly isInstalled: boolean;
  run(target: Target): Promise<Reported>;
}

const execute = promisify(execFile);
/** Two runs of less than a second would differ by how they start. */
const MIN_SECONDS = 1;

const generators: readonly Generator[] = [
  {
    name: 'autocannon',
    isInstalled: true,
    async run({ url, body, seconds }) {
      const file = createRequire(import.meta.url).resolve('autocannon');
      const args = ['--json', '-c', `${CONNECTIONS}`, '-d', `${seconds}`, '-m', 'POST', '-b', body];
      const header = ['-H', 'content-type=application/json', url];
      const { stdout } = await execute(process.execPath, [file, ...args, ...header]);
      const { requests, latency, duration, non2xx, errors } = JSON.parse(stdout) as {
        requests: { total: number };
        latency: { p50: number; p99: number };
        duration: number;
        non2xx: number;
        errors: number;
      };
      if (non2xx + errors > 0) throw new Error(`autocannon: ${non2xx + errors} requests failed`);
      const { total } = requests;
      const requests_per_s = total / duration;
      return { requests: total, requests_per_s, p50_ms: latency.p50, p99_ms: latency.p99 };
    },
  },
  {
    name: 'wrk',
    isInstalled: spawnSync('wrk', ['-v']).error === undefined,
    async run({ url, body, seconds, folder }) {
      const script = join(folder, 'post.lua');
      await writeFile(
        script,
        `wrk.method = "POST"\nwrk.body = [[${body}]]\n` +
          `wrk.headers["content-type"] = "application/json"\n` +
          `done = function(summary, latency)\n` +
          `io.write(string.format("figures %d %d %f %f\\n", summary.requests, summary.duration,` +
          ` latency:percentile(50), latency:percentile(99)))\nend\n`,
      );
      const args = ['-t', '1', '-c', `${CONNECTIONS}`, '-d', `${seconds}s`, '-s', script, url];
      const { stdout } = await execute('wrk', args);
      const figures = /figures (\d+) (\d+) ([\d.]+) ([\d.]+)/.exec(stdout)!.slice(1).map(Number);
      const [requests, duration_us, p50_us, p99_us] = figures as [number, number, number, number];
      const requests_per_s = (requests * 1e6) / duration_us;
      return { requests, requests_per_s, p50_ms: p50_us / 1000, p99_ms: p99_us / 1000 };
    },
  },
];

const OURS = 'our driver';

/** Prints what each load generator measures of the bare pass-through under small calls. */
export async function checkDriver(seconds: number, signal: AbortSignal): Promise<void> {
  const row = rows.find(({ name }) => name === BASELINE)!;
  const subject: Row = { ...row, connections: CONNECTIONS };
  const workload = workloadOf(subject);
  const names = [OURS, ...generators.filter((each) => each.isInstalled).map(({ name }) => name)];
  await withBench([subject], signal, async ({ load, running, folder }) => {
    const server = running.get(BASELINE)!;
    const target = { url: server.url, body: workload.body, folder };
    const samples = await runRounds(
      names,
      planRounds(seconds, names.length),
      async (name, window_ms): Promise<Sample> => {
        signal.throwIfAborted();
        const whole = Math.max(MIN_SECONDS, Math.round(window_ms / 1000));
        const ours = { running: server, workload, connections: CONNECTIONS };
        if (name === OURS) return measure(load, ours, { window_ms: whole * 1000 });
        const generator = generators.find((each) => each.name === name)!;
        const before_us = await server.cpu_us();
        const { requests, ...reported } = await generator.run({ ...target, seconds: whole });
        return {
          ...reported,
          cpu_us_per_request: ((await server.cpu_us()) - before_us) / requests,
        };
      },
    );
    console.log(
      formatRows([
        ['small call, bare pass-through', 'CPU µs/request', 'requests/s', 'p50 ms', 'p99 ms'],
        ...names.map((name) => {
          const of = (figure: keyof Sample): number =>
            median(samples.get(name)!.map((sample) => sample[figure]));
          return [
            `  ${name}`,
            of('cpu_us_per_request').toFixed(1),
            of('requests_per_s').toFixed(0),
            of('p50_ms').toFixed(2),
            of('p99_ms').toFixed(2),
          ];
        }),
      ]),
    );
  });
}
