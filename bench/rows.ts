import { BASELINE, contenders, HTTP, IN_PROCESS, WORKERS, WS } from './contenders.ts';
import { workloads, type Workload } from './workloads.ts';

/** What is measured: a workload on a server, by a number of connections. */
export interface Row {
  readonly workload: string;
  readonly name: string;
  readonly connections: number;
}

export const CONNECTIONS = 64;

const PROXIES = [BASELINE, 'nginx', 'fastify + undici', HTTP, WS];
const ALL = [...PROXIES, WORKERS, '@open-rpc/server-js'];

/** The servers of each workload, and the connections where they are not 64. */
const plan: readonly [workload: string, names: readonly string[], connections?: number[]][] = [
  ['small call', ALL, [1, CONNECTIONS, 512]],
  ['batch of 20', [...PROXIES, '@open-rpc/server-js']],
  ['1 MB result', [...PROXIES, '@open-rpc/server-js']],
  ['invalid params', [BASELINE, HTTP, '@open-rpc/server-js']],
  ['caller on WebSocket', [HTTP, WS]],
  ['answered from the cache', [HTTP]],
  ['half load', PROXIES],
  ['validate + price + reserve', [IN_PROCESS]],
];

const installed = new Set(contenders.filter(({ missing }) => !missing).map(({ name }) => name));

export const rows: readonly Row[] = plan.flatMap(([workload, names, connections]) =>
  (connections ?? [CONNECTIONS]).flatMap((count) =>
    names
      .filter((name) => installed.has(name))
      .map((name) => ({ workload, name, connections: count })),
  ),
);

export function workloadOf({ workload }: Row): Workload {
  return workloads.find(({ name }) => name === workload)!;
}

/** `small call: nginx: 64`: what `--only` looks into. */
export function describeRow({ workload, name, connections }: Row): string {
  return `${workload}: ${name}: ${connections}`;
}

/** The row whose figures a row is divided by: the bare pass-through under the same load. */
export function baselineOf(row: Row): Row {
  const isSame = (other: Row): boolean =>
    other.workload === row.workload && other.connections === row.connections;
  const baseline = { ...row, name: BASELINE };
  return rows.find((each) => each.name === BASELINE && isSame(each)) ?? smallCallOf(baseline)!;
}

/** The same server under the small call, which others of its rows are compared with. */
export function smallCallOf({ name, connections }: Row): Row | undefined {
  return rows.find(
    (row) => row.workload === 'small call' && row.name === name && row.connections === connections,
  );
}

/** The rows that contain one of the texts, and those that their figures depend on. */
export function selectRows(texts: readonly string[]): readonly Row[] {
  if (texts.length === 0) return rows;
  const chosen = rows.filter((row) => texts.some((text) => describeRow(row).includes(text)));
  const needed = new Set(
    chosen.flatMap((row) => {
      const { isHalfLoad, transport } = workloadOf(row);
      const usesSmallCall = isHalfLoad === true || transport === 'webSocket';
      return [row, baselineOf(row), usesSmallCall ? smallCallOf(row) : undefined];
    }),
  );
  return rows.filter((row) => needed.has(row));
}
