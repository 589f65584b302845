import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DocumentError, describeDiagnostic } from '../../../common/diagnostic.ts';
import { loadDocument } from '../../../generator/document.ts';
import { createTextReader } from '../../../generator/files/text.ts';
import { lintDocument } from '../../../generator/lint/lint.ts';
import { activeRules } from '../../../generator/lint/settings.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Answers each path with a document, or redirects to an address; a connection is used once. */
const files = new Map<string, unknown>();
const asked: string[] = [];
const server = createServer(({ url = '', headers }, response) => {
  asked.push(`${headers.host?.split(':')[0]}${url}`);
  const content = files.get(url);
  response.setHeader('connection', 'close');
  if (typeof content === 'string') response.writeHead(302, { location: content }).end();
  else response.writeHead(200).end(JSON.stringify(content));
});
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
beforeEach(() => {
  asked.length = 0;
  files.clear();
  files.set('/secret.json', { type: 'string' });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** An address at which nothing listens: reaching it fails. */
const NOWHERE = '127.0.0.254';

/** Resolves every name to the server, and from the second look-up on to another address. */
function changingNames() {
  const lookups: string[] = [];
  const network = {
    async lookup(hostname: string) {
      const address = lookups.includes(hostname) ? NOWHERE : '127.0.0.1';
      lookups.push(hostname);
      return [{ address, family: 4 }];
    },
    // Takes the server's own address for a public one.
    isPrivate: (address: string) => address !== '127.0.0.1',
  };
  return { lookups, reader: createTextReader({ network }) };
}

const referringTo = ($ref: string) => documentOf([methodOf('a', { $ref })]);

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(error instanceof DocumentError)) throw new Error('the document was loaded');
  return error.diagnostics.map(describeDiagnostic).join('\n');
}

test('every connection of a load goes to the addresses of the first look-up', async () => {
  const { lookups, reader } = changingNames();
  files.set('/doc.json', referringTo('part.json'));
  files.set('/part.json', '/secret.json');
  const location = `http://pinned.test:${port}/doc.json`;
  await loadDocument(location, reader);
  expect(lookups).toEqual(['pinned.test']);
  expect(asked).toEqual(['/doc.json', '/part.json', '/secret.json'].map((p) => `pinned.test${p}`));
});

test('lint resolves a name once, and each load resolves it again', async () => {
  const { lookups, reader } = changingNames();
  files.set('/doc.json', referringTo('part.json'));
  files.set('/part.json', { type: 'string' });
  const location = `http://pinned.test:${port}/doc.json`;
  await lintDocument(location, { reader, active: activeRules({}) });
  expect(lookups).toEqual(['pinned.test']);
  await problemOf(loadDocument(location, reader));
  expect(lookups).toEqual(['pinned.test', 'pinned.test']);
});

test('a public address does not redirect to a private one', async () => {
  const { reader } = changingNames();
  files.set('/doc.json', `http://169.254.169.254:${port}/secret.json`);
  expect(await problemOf(loadDocument(`http://site.test:${port}/doc.json`, reader))).toBe(
    `http://site.test:${port}/doc.json: site.test:${port} has a public address, and leads to ` +
      '169.254.169.254 with the private address 169.254.169.254; refer to a copy',
  );
});

test('a document at a public address refers to no private one, even if remote references are allowed', async () => {
  const { reader } = changingNames();
  files.set('/doc.json', referringTo(`http://[fd00::1]:${port}/secret.json`));
  const loading = loadDocument(`http://site.test:${port}/doc.json`, reader, { allowRemote: true });
  expect(await problemOf(loading)).toContain('leads to [fd00::1] with the private address fd00::1');
  expect(asked).toEqual(['site.test/doc.json']);
});

test('a document from disk may refer to a private address if remote references are allowed', async () => {
  const document = referringTo(`http://127.0.0.1:${port}/secret.json`);
  const folder = temporaryFolder([['doc.json', JSON.stringify(document)]]);
  await loadDocument(`${folder}/doc.json`, createTextReader(), { allowRemote: true });
  expect(asked).toEqual(['127.0.0.1/secret.json']);
});

test('a name that does not resolve is reported with its reason', async () => {
  const lookup = async (hostname: string) => {
    throw new Error(`getaddrinfo ENOTFOUND ${hostname}`);
  };
  const reader = createTextReader({ network: { lookup, isPrivate: () => false } });
  expect(await problemOf(loadDocument('http://missing.test/doc.json', reader))).toBe(
    'http://missing.test/doc.json: cannot be downloaded (getaddrinfo ENOTFOUND missing.test); check the address and the network',
  );
});

test('a look-up that does not end is abandoned with its load', async () => {
  const network = { lookup: () => new Promise<never>(() => {}), isPrivate: () => false };
  const controller = new AbortController();
  const reading = createTextReader({ network }).read('http://slow.test/doc.json', {
    signal: controller.signal,
  });
  controller.abort(new Error('the load ended'));
  expect(await problemOf(reading)).toContain('cannot be downloaded (the load ended)');
});
