import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/transport/listen.ts';
import { SmallPieces } from '../../src/transport/small-pieces.ts';
import { temporaryFolder } from '../store/support.ts';
import { makeCertificate } from '../support/certificate.ts';
import { echo, networkOver } from './support.ts';

it('every 32 small pieces count as a call', () => {
  let calls = 0;
  const pieces = new SmallPieces(() => (calls += 1) > 0);
  for (let sent = 0; sent < 32; sent += 1) pieces.add(1);
  expect(calls).toBe(0);
  for (let sent = 0; sent < 32; sent += 1) pieces.add(1);
  expect(calls).toBe(1);
});

it('a body without a key in many TLS records is not read to its end', async () => {
  const certificate = makeCertificate(await temporaryFolder(), 'one.example');
  const networks = [
    { name: 'one', service: networkOver(echo).service, hostNames: ['one.example'] },
  ];
  const certificates = [{ ...certificate, hostNames: ['one.example'] }] as const;
  const listener = await listen({ networks, certificates }, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listener.close(100));
  const client = connect({ port: listener.port, host: '127.0.0.1', rejectUnauthorized: false });
  onTestFinished(() => void client.destroy());
  client.on('error', () => undefined);
  let received = '';
  client.on('data', (bytes: Buffer) => (received += bytes.toString()));
  await once(client, 'secureConnect');
  const write = (text: string) => new Promise((resolve) => client.write(text, resolve));
  const headers = 'Host: one.example\r\nContent-Type: application/json\r\nContent-Length: 1000';
  await write(`POST /v3/unknown HTTP/1.1\r\n${headers}\r\n\r\n`);
  // Each in a record of its own.
  for (let sent = 0; sent < 60; sent += 1) await write(' ');
  await expect.poll(() => received).toMatch(/^HTTP\/1\.1 401 [^]*Connection: close/i);
});
