import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serveDocs, type DocsOptions } from '../../src/docs/serve-docs.ts';
import { fileOf, missingPages } from '../../src/docs/site.ts';

const page = `<!doctype html><title>Docs</title>${'<p>words and words</p>'.repeat(200)}`;

let folder: string;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'specgate-docs-'));
  await writeAll({
    'index.html': page,
    'types/index.html': page,
    '404.html': `<!doctype html><html data-root="/"><a href="/index.html">Overview</a><a href="#x">x</a>`,
    'methods/über.html': page,
    'methods/a.md': '# a',
    'config.json': '{}',
    'assets/site.css': 'p{}',
    'assets/site.js': 'export {};',
    'pagefind/index/en_1.pf_index': 'x',
    'assets/icon.svg': '<svg/>',
    'pagefind/fragment/en_1.pf_fragment': 'x'.repeat(2000),
    'pagefind/pagefind-entry.json': '{}',
  });
  await writeFile(join(folder, '..', 'specgate-secret.txt'), 'secret');
  base = await serve({});
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(join(folder, '..', 'specgate-secret.txt'));
});

async function writeAll(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const servers: { close(): Promise<void> }[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serve(options: Partial<DocsOptions>): Promise<string> {
  const server = await serveDocs({
    host: '127.0.0.1',
    port: 0,
    folder,
    networks: [
      {
        name: 'evm',
        family: 'evm',
        http: 'https://rpc.example:8545/v3/demo',
        ws: 'wss://rpc.example:8545/ws/v3/demo',
      },
    ],
    demoKey: 'demo',
    document: '{"openrpc":"1.3.2","big":18446744073709551615}',
    onFailure: () => undefined,
    ...options,
  });
  servers.push(server);
  return `http://127.0.0.1:${server.port}/`;
}

/** Sends a path as it stands: fetch would clean it up first. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  const { hostname, port } = new URL(base);
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const asking = request({ hostname, port, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, headers, body: Buffer.concat(chunks) });
        });
      });
      asking.on('error', reject).end();
    },
  );
}

describe('the documentation port', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/types/', 'text/html; charset=utf-8'],
    ['/methods/%C3%BCber.html', 'text/html; charset=utf-8'],
    ['/methods/a.md', 'text/markdown; charset=utf-8'],
    ['/assets/site.css', 'text/css; charset=utf-8'],
    ['/assets/site.js?v=1', 'text/javascript; charset=utf-8'],
    ['/assets/icon.svg', 'image/svg+xml'],
    ['/config.json', 'application/json'],
    ['/pagefind/fragment/en_1.pf_fragment', 'application/octet-stream'],
  ])('sends %s as %s', async (path, type) => {
    const { status, headers } = await ask(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('lets pages load from itself only, and call only the networks it is wired to', async () => {
    const { headers } = await ask('/');
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self' https://rpc.example:8545 wss://rpc.example:8545",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(policy).not.toContain("'unsafe-");
  });

  test('says in config.json which networks it is wired to, and which key anyone may use', async () => {
    expect(JSON.parse((await ask('/config.json')).body.toString())).toMatchObject({
      networks: [{ name: 'evm', http: 'https://rpc.example:8545/v3/demo' }],
      key: 'demo',
    });
  });

  test('serves the document digit by digit, to any origin', async () => {
    const { body, headers } = await ask('/openrpc.json');
    expect(body.toString()).toContain('18446744073709551615');
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  test('lets what is named by its content be kept for ever, and has the rest asked for again', async () => {
    const kept = 'public, max-age=31536000, immutable';
    for (const path of ['/pagefind/index/en_1.pf_index', '/pagefind/fragment/en_1.pf_fragment']) {
      expect((await ask(path)).headers['cache-control'], path).toBe(kept);
    }
    for (const path of ['/', '/assets/site.js', '/pagefind/pagefind-entry.json']) {
      expect((await ask(path)).headers['cache-control'], path).toBe('no-cache');
    }
  });

  test('answers 304 without a body to who has it already', async () => {
    const first = await ask('/');
    const etag = String(first.headers['etag']);
    const again = await ask('/', { 'if-none-match': `"other", W/${etag}` });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect(again.headers['etag']).toBe(etag);
    expect((await ask('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('compresses for who accepts it, with an ETag of its own', async () => {
    const plain = await ask('/');
    const br = await ask('/', { 'accept-encoding': 'gzip, deflate, br' });
    const gz = await ask('/', { 'accept-encoding': 'gzip;q=0.5, br;q=0' });
    expect(brotliDecompressSync(br.body).toString()).toBe(page);
    expect(gunzipSync(gz.body).toString()).toBe(page);
    expect(plain.body.toString()).toBe(page);
    expect(br.headers['vary']).toBe('accept-encoding');
    const tags = [plain, br, gz].map(({ headers }) => headers['etag']);
    expect(new Set(tags).size).toBe(3);
    expect((await ask('/assets/site.css', { 'accept-encoding': 'br' })).headers).not.toHaveProperty(
      'content-encoding',
    );
  });

  test.each([
    '/../specgate-secret.txt',
    '/%2e%2e/specgate-secret.txt',
    '/..%2fspecgate-secret.txt',
    '/methods/..%5c..%5cspecgate-secret.txt',
    '/types/../../specgate-secret.txt',
    '//specgate-secret.txt',
    '/%00',
    '/%ff',
    '/nothing.html',
  ])('knows no way out of the folder: %s is 404', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  test.each([
    ['/nothing.html', '', 'index.html'],
    ['/methods/eth_getproof.html', '../', '../index.html'],
    ['/a/b/c/?q=/', '../../../', '../../../index.html'],
    ['/404.html', '', 'index.html'],
  ])('shows a reader who asks for %s the page for what is not there', async (path, root, link) => {
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const { status, headers, body } = await ask(path, { accept });
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body.toString()).toContain(`data-root="${root}"><a href="${link}"`);
    expect(body.toString()).toContain('href="#x"');
  });

  test('makes the page for missing files once for each depth of their paths', () => {
    const body = Buffer.from('<html data-root="/"><a href="/index.html">');
    const pageFor = missingPages(new Map([['404.html', fileOf('404.html', body)]]));
    expect(pageFor('/a/x')).toBe(pageFor('/b/y'));
    expect(pageFor('/a/x')).not.toEqual(pageFor('/x'));
    expect([pageFor('x'), pageFor(`${'/a'.repeat(17)}/x`)]).toEqual([null, null]);
    expect(pageFor(`${'/a'.repeat(16)}/x`)).not.toBeNull();
  });

  test('answers programs and overly deep paths with a plain 404', async () => {
    const accept = 'text/html';
    const answers = await Promise.all([
      ask('/methods/none.json', { accept: '*/*' }),
      ask('/methods/none.html'),
      ask('/'.repeat(2000), { accept }),
      ask('/%ff', { accept: 'image/*' }),
    ]);
    for (const { status, body } of answers)
      expect([status, `${body}`]).toEqual([404, 'not found\n']);
  });

  test('answers HEAD like GET without the body, and other methods 405', async () => {
    const head = await ask('/', {}, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(page.length));
    expect((await ask('/', {}, 'POST')).status).toBe(405);
  });

  test('waits until the site is built, and says how to build one where there is none', async () => {
    const later = await mkdtemp(join(tmpdir(), 'specgate-docs-'));
    onTestFinished(() => rm(later, { recursive: true }));
    const failures: unknown[] = [];
    const none = await serve({ folder: later, onFailure: (error) => failures.push(error) });
    const refused = await fetch(none);
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('npm run docs');
    // Requests do not fill the log.
    expect((await fetch(none)).status).toBe(503);
    expect(failures).toHaveLength(1);
    const ready = Promise.withResolvers<void>();
    const waiting = fetch(await serve({ folder: later, ready: ready.promise }));
    await writeFile(join(later, 'index.html'), page);
    ready.resolve();
    expect((await waiting).status).toBe(200);
    expect((await fetch(none)).status).toBe(200);
  });
});
