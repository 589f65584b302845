import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/transport/listen.ts';
import { temporaryFolder } from '../store/support.ts';
import { makeCertificate } from '../support/certificate.ts';
import { hasProgram } from '../support/programs.ts';
import { echo, networkOver } from '../transport/support.ts';
import { ask, openAt } from '../upstream/support.ts';

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

/** Starts a node that updates its keys again and again, as soon as it has a request. */
async function startUpdatingNode(): Promise<{ address: string; updates: () => number }> {
  const folder = await temporaryFolder();
  const { certFile, keyFile, cert } = makeCertificate(folder, 'localhost');
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  const keyLog = join(folder, 'keys.log');
  const files = ['-cert', certFile, '-key', keyFile, '-keylogfile', keyLog];
  const node = spawn('openssl', ['s_server', '-tls1_3', '-accept', '127.0.0.1:0', ...files]);
  onTestFinished(() => void node.kill());
  node.stdin.on('error', () => undefined);
  const address = Promise.withResolvers<string>();
  const startUpdates = (): void => {
    // Each command has to arrive on its own.
    const timer = setInterval(() => node.stdin.write('K\n'), 2);
    node.once('close', () => clearInterval(timer));
  };
  let text = '';
  let isUpgraded = false;
  let isUpdating = false;
  node.stdout.on('data', (data: Buffer) => {
    text += data.toString('latin1');
    const [, port] = /ACCEPT 127\.0\.0\.1:(\d+)\s/.exec(text) ?? [];
    if (port !== undefined) address.resolve(`localhost:${port}`);
    const [, key] = /sec-websocket-key: (\S+)\r\n[^]*\r\n\r\n/i.exec(text) ?? [];
    if (key !== undefined && !isUpgraded) {
      isUpgraded = true;
      node.stdin.write(upgradeFor(key));
    } else if ((isUpgraded || text.includes('POST')) && !isUpdating) {
      // A command that is read together with the response would be sent as part of it. A message of the
      // client shows that it has the response.
      isUpdating = true;
      startUpdates();
    }
  });
  const updates = (): number =>
    readFileSync(keyLog, 'utf8').split('SERVER_TRAFFIC_SECRET_N').length - 1;
  return { address: await address.promise, updates };
}

/** The response to an upgrade (RFC 6455, section 4.2.2). */
function upgradeFor(key: string): string {
  const accept = hash('sha1', `${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64');
  const headers = ['Connection: Upgrade', 'Upgrade: websocket', `Sec-WebSocket-Accept: ${accept}`];
  return ['HTTP/1.1 101 Switching Protocols', ...headers, '', ''].join('\r\n');
}

it.skipIf(!hasOpenssl).each(['https', 'wss'])(
  'a node over %s that updates its keys again and again is disconnected',
  async (scheme) => {
    const { address, updates } = await startUpdatingNode();
    const upstream = openAt(new URL(`${scheme}://${address}`));
    const nothing = (): void => undefined;
    const verify = async (): Promise<undefined> => undefined;
    await upstream.start({ verify, onReady: nothing, onDropped: nothing });
    expect(await ask(upstream.call)).toMatchObject({ kind: 'failure', cause: 'connection' });
    expect(updates()).toBeGreaterThan(30);
  },
);
