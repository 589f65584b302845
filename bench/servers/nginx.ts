// nginx as a reverse proxy in front of the node: what passing on costs without JSON-RPC.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const START_MS = 10_000;
const POLL_MS = 20;

export const isNginxInstalled = spawnSync('nginx', ['-v']).status === 0;

const configOf = (node: string, port: number, folder: string): string => `
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 2048; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 120s;
  client_body_buffer_size 64k;
  client_body_temp_path ${folder}/client;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream node { server ${new URL(node).host}; keepalive 128; keepalive_requests 1000000000; }
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      proxy_pass http://node;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;

export interface RunningProgram {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts nginx with one worker process in front of `node`. */
export async function startNginx(node: string, parent: string): Promise<RunningProgram> {
  const folder = await mkdtemp(join(parent, 'nginx-'));
  // Workers are another user than one who starts nginx as root.
  await Promise.all([parent, folder].map((each) => chmod(each, 0o755)));
  const port = await freePort();
  const config = join(folder, 'nginx.conf');
  await writeFile(config, configOf(node, port, folder));
  const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', config, '-g', 'daemon off;'];
  const child = spawn('nginx', args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}/`;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) child.kill('SIGTERM');
    await exited;
  };
  const ends_ms = performance.now() + START_MS;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > ends_ms) {
      await stop();
      throw new Error('nginx did not start; uninstall it or repair it to run without its row');
    }
    await wait(POLL_MS);
  }
  return { url, pid: child.pid!, stop };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  return connected.finally(() => socket.destroy());
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
