/** A real nginx with the configuration of deploy/, in front of servers of the test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDeployed } from './support.ts';
import { freePort } from '../support/free-port.ts';

export interface Nginx {
  readonly port: number;
  /** All that nginx has written so far, by file. */
  logs(): { readonly access: string; readonly error: string };
  stop(): Promise<void>;
}

const START_MS = 60_000;
const STOP_MS = 10_000;

/** Starts nginx; `evm` are the ports of the two gateways of that network. */
export async function startNginx(evm: readonly [number, number]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'specgate-nginx-'));
  // Workers are another user than the one who starts nginx as root.
  chmodSync(folder, 0o755);
  const [accessLog, errorLog] = [join(folder, 'access.log'), join(folder, 'error.log')];
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    placed(readDeployed('nginx/nginx.conf'), { folder, port, evm, accessLog, errorLog }),
  );
  const output = openSync(errorLog, 'a');
  const child = spawn('nginx', ['-p', folder, '-e', errorLog, '-c', file, '-g', 'daemon off;'], {
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const logs = (): ReturnType<Nginx['logs']> => ({
    access: readText(accessLog),
    error: readText(errorLog),
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    if (child.exitCode === null) child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  };
  const ends_ms = performance.now() + START_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > ends_ms) {
      const { error } = logs();
      await stop();
      throw new Error(`nginx did not start:\n${error}`);
    }
    await sleep(20);
  }
  return { port, logs, stop };
}

/** The configuration with the places of a test for those of a container; throws when one is gone. */
function placed(
  config: string,
  at: {
    folder: string;
    port: number;
    evm: readonly [number, number];
    accessLog: string;
    errorLog: string;
  },
): string {
  const [one, other] = at.evm;
  const places: readonly (readonly [RegExp, string])[] = [
    [/ \/run\/nginx\//g, ` ${at.folder}/`],
    [/listen 8080;/g, `listen 127.0.0.1:${at.port};`],
    [/gateway-1:8545/g, `127.0.0.1:${one}`],
    [/gateway-2:8545/g, `127.0.0.1:${other}`],
    // The other network has no gateways here.
    [/gateway-[12]:8899/g, '127.0.0.1:1'],
    [/\/dev\/stdout/g, at.accessLog],
    [/\/dev\/stderr/g, at.errorLog],
    // More than one process may have without asking; the limit itself is not what is tested.
    [/worker_rlimit_nofile \d+;/g, ''],
    [/worker_connections \d+;/g, 'worker_connections 256;'],
  ];
  return places.reduce((text, [place, replacement]) => {
    if (text.search(place) === -1) throw new Error(`nginx.conf has no ${place.source} any more`);
    return text.replaceAll(place, replacement);
  }, config);
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
