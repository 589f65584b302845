import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { limitKeyUpdatesOf } from '../../src/time/key-updates.ts';
import { listen } from '../../src/transport/listen.ts';
import { temporaryFolder } from '../store/support.ts';
import { makeCertificate } from '../support/certificate.ts';
import { hasProgram } from '../support/programs.ts';
import { echo, networkOver } from '../transport/support.ts';

// Node itself has no way to update keys.
const hasOpenssl = hasProgram('openssl', 'connections whose keys are updated often', 'version');

/** Updates the keys of a connection; resolves to the number of updates before the server closed it. */
async function updateKeys(port: number, most: number): Promise<number> {
  const args = ['s_client', '-tls1_3', '-connect', `127.0.0.1:${port}`];
  const client = spawn('openssl', args, { stdio: 'pipe' });
  onTestFinished(() => void client.kill());
  let updates = 0;
  // A command of the client, which has to arrive on its own.
  const update = (): void => void client.stdin.write('K\n');
  client.stdin.on('error', () => undefined);
  const follow = (text: Buffer): void => {
    if (text.includes('KEYUPDATE')) {
      updates += 1;
      if (updates === most) client.stdin.end('Q\n');
      else update();
    }
  };
  client.stderr.on('data', follow);
  client.stdout.on('data', follow);
  client.stdout.on('data', (text: Buffer) => {
    if (text.includes('Verify return code') && updates === 0) update();
  });
  await once(client, 'close');
  return updates;
}

it.skipIf(!hasOpenssl)(
  'a client that updates its keys again and again is disconnected',
  async () => {
    const certificate = makeCertificate(await temporaryFolder(), 'one.example');
    const { service } = networkOver(echo);
    const networks = [{ name: 'one', service, hostNames: ['one.example'] }];
    const certificates = [{ ...certificate, hostNames: ['one.example'] }] as const;
    const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => listener.close(100));
    expect(await updateKeys(listener.port, 20)).toBe(20);
    const updates = await updateKeys(listener.port, 1_000);
    expect(updates).toBeGreaterThan(30);
    expect(updates).toBeLessThan(1_000);
  },
);

it.skipIf(!hasOpenssl)('a node that updates its keys again and again is disconnected', async () => {
  const { certFile, keyFile } = makeCertificate(await temporaryFolder(), 'one.example');
  const args = [
    's_server',
    '-tls1_3',
    '-accept',
    '127.0.0.1:0',
    '-cert',
    certFile,
    '-key',
    keyFile,
  ];
  const node = spawn('openssl', args, { stdio: 'pipe' });
  onTestFinished(() => void node.kill());
  node.stdin.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    node.stdout.on('data', (text: Buffer) => {
      const [, found] = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(text.toString()) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  onTestFinished(() => void socket.destroy());
  const failed = once(socket, 'error');
  await once(socket, 'secureConnect');
  limitKeyUpdatesOf(socket);
  let updates = 0;
  // Each key of the node is logged when its update has arrived.
  socket.on('keylog', (line: Buffer) => {
    if (!line.includes('SERVER_TRAFFIC_SECRET_N')) return;
    updates += 1;
    node.stdin.write('K\n');
  });
  node.stdin.write('K\n');
  expect(await failed).toMatchObject([{ message: 'too many key updates' }]);
  expect(updates).toBe(33);
});
