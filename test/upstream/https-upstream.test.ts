import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { ask, openUpstream } from './support.ts';

/** Starts a node that prefers HTTP/2 and ends the connection of a call of `eth_large`. */
async function startSecureNode(): Promise<{ url: URL; versions: Set<string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'https-upstream-'));
  const { cert, key } = makeCertificate(folder, 'localhost');
  rmSync(folder, { recursive: true });
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  const versions = new Set<string>();
  const server = createSecureServer({ cert, key, allowHTTP1: true });
  const ended = Promise.withResolvers<void>();
  server.on('request', async (request, response) => {
    versions.add(request.httpVersion);
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { id, method } = JSON.parse(text) as { id: number; method: string };
    if (method === 'eth_large') {
      request.socket.destroy();
      return ended.resolve();
    }
    await ended.promise;
    return void response.end(`{"jsonrpc":"2.0","id":${id},"result":1}`);
  });
  server.on('sessionError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`https://localhost:${port}`), versions };
}

it('does not share connections among calls to an https upstream', async () => {
  const { url, versions } = await startSecureNode();
  const upstream = openUpstream(url);
  const other = ask(upstream, 'eth_small');
  const large = ask(upstream, 'eth_large');
  expect(await large).toMatchObject({ kind: 'failure', cause: 'connection' });
  expect(await other).toMatchObject({ kind: 'result' });
  expect([...versions]).toEqual(['1.1']);
});
