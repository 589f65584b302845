import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAX_BUILD_MS = 600_000;

/** What building the site of a document takes. */
export interface Growth {
  readonly methods: number;
  readonly document_bytes: number;
  readonly files: number;
  readonly site_bytes: number;
  /** Heaviest page of a method, gzip. */
  readonly page_bytes: number;
  /** User time of the process; the indexer and the bundler are processes of their own. */
  readonly cpu_ms: number;
  readonly rss_bytes: number;
}

const COLUMNS = [
  'methods',
  'document',
  'files',
  'site',
  'per method',
  'page, gzip',
  'CPU',
  'memory',
];

export const growthHead = rowOf(COLUMNS);

/** Builds the site of a document with linked schemas in a process of its own; returns a row. */
export async function measureGrowth(methods: number): Promise<string> {
  const worker = fileURLToPath(new URL('growth-worker.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [worker, String(methods)], {
    timeout: MAX_BUILD_MS,
  });
  const growth = JSON.parse(stdout) as Growth;
  return rowOf([
    String(growth.methods),
    megabytes(growth.document_bytes),
    String(growth.files),
    megabytes(growth.site_bytes),
    `${(growth.site_bytes / methods / 1024).toFixed(1)} KB`,
    `${(growth.page_bytes / 1024).toFixed(1)} KB`,
    `${(growth.cpu_ms / 1000).toFixed(1)} s`,
    megabytes(growth.rss_bytes),
  ]);
}

function rowOf(cells: readonly string[]): string {
  return cells.map((cell) => cell.padStart(12)).join('');
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
