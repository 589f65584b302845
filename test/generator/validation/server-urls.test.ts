import { describe, expect, test } from 'vitest';
import { loadModel } from '../../../generator/document.ts';
import type { Model } from '../../../generator/model/model.ts';
import { networksOf } from '../../../generator/targets/docs/networks.ts';
import { serverUrl } from '../../../generator/targets/client-view/methods.ts';
import { lintBy } from '../lint/lint.ts';
import { describeService } from '../../../bin/commands/describe-service.ts';
import { runSpecgate } from '../cli/in-process.ts';
import { documentOf, modelOf, problemsOf, type Document } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';

const withServers = (...urls: readonly string[]): Document => {
  const servers = urls.map((url) => ({ name: 'main', url }));
  const link = { name: 'l', method: 'a', server: servers[0] };
  const shared = { ...link, name: 'shared' };
  const links = [link, { $ref: '#/components/links/shared' }];
  return documentOf([{ name: 'a', summary: 'A', params: [], servers, links }], {
    servers,
    components: { links: { shared } },
  });
};

async function downloaded(document: Document, url: string): Promise<Model> {
  return loadModel(url, { read: async () => ({ name: url, url, text: JSON.stringify(document) }) });
}

describe('the url of a server', () => {
  test.each([
    '/',
    '/rpc',
    'v1/rpc',
    '../rpc?a=b',
    '//example.org/rpc',
    '',
    '{scheme}://example.org/',
    'https://{host}:{port}/{path}',
    '${base}/rpc',
    'wss://example.org/<API_KEY>',
  ])('may be %j, wherever a server stands', async (url) => {
    const document = withServers(url);
    const { document: kept } = await modelOf(document);
    expect(kept['servers']).toEqual(document['servers']);
  });

  test.each(['/with a space', 'https://exa mple.org', '\\rpc'])('may not be %j', async (url) => {
    const problems = await problemsOf({ 'doc.json': withServers(url) });
    const fixes = new Set(problems.map(({ fix }) => fix));
    expect(fixes).toContain('write one such as https://example.org/rpc or /rpc');
    expect(problems.map(({ pointer }) => pointer)).toContain('/servers/0/url');
  });
});

test('lint reports an unusable url, and no relative one, as an error', async () => {
  const document = documentOf([], { servers: [{ url: 'http://' }, { url: '/rpc' }] });
  expect(await lintBy('server-url', document)).toEqual([
    '/servers/0/url: "http://" is not a valid URL',
  ]);
});

test('lint warns of a relative url, in the document and in a method', async () => {
  const servers = ['/rpc', '../rpc', '', '//example.org/rpc', 'https://a.example', '{base}/rpc'];
  const document = documentOf([{ name: 'a', params: [], servers: [{ url: 'rpc' }] }], {
    servers: servers.map((url) => ({ url })),
  });
  expect(await lintBy('server-url-relative', document)).toEqual([
    '/servers/0/url: "/rpc" is a relative URL',
    '/servers/1/url: "../rpc" is a relative URL',
    '/servers/2/url: "" is a relative URL',
    '/servers/3/url: "//example.org/rpc" is a relative URL',
    '/methods/0/servers/0/url: "rpc" is a relative URL',
  ]);
});

describe('a relative url', () => {
  const document = withServers('../rpc');

  test('is resolved against the address of a downloaded document', async () => {
    const model = await downloaded(document, 'https://api.example.org/v1/docs/openrpc.json');
    expect(serverUrl(model, 'http')).toBe('https://api.example.org/v1/rpc');
    expect(networksOf(model)).toMatchObject([{ http: 'https://api.example.org/v1/rpc', ws: null }]);
  });

  test('in a document from disk gives no default address', async () => {
    const model = await modelOf(document);
    expect(serverUrl(model, 'http')).toBeNull();
    expect(networksOf(model)).toEqual([]);
    expect(describeService(model).methods).toHaveLength(2);
  });

  test('does not hide the absolute urls of a document', async () => {
    const model = await modelOf(withServers('/rpc', 'https://example.org/rpc'));
    expect(serverUrl(model, 'http')).toBe('https://example.org/rpc');
    expect(networksOf(model)).toMatchObject([{ http: 'https://example.org/rpc' }]);
  });

  test.each([
    ['lint', 'doc.json'],
    ['bundle', 'doc.json'],
    ['generate', 'doc.json', '--out', 'out'],
    ['diff', 'doc.json', 'doc.json'],
    ['changelog', 'doc.json', 'doc.json'],
    ['generate', 'doc.json', '--target', 'docs', '--out', 'site'],
  ])('is accepted by %s', async (...args) => {
    const folder = temporaryFolder([['doc.json', JSON.stringify(document)]]);
    const { status, stderr } = await runSpecgate(args, { cwd: folder });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
