import { DocumentError, describeDiagnostic } from '../../../common/diagnostic.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadDocument } from '../../../generator/document.ts';
import { createTextReader } from '../../../generator/files/text.ts';
import { activeRules } from '../../../generator/lint/settings.ts';
import { lintDocument } from '../../../generator/lint/lint.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { runSpecgate } from '../cli/in-process.ts';
import { temporaryFolder } from '../support/folder.ts';

/** A server of documents and redirects that notes what is asked of it. */
interface Host {
  readonly origin: string;
  readonly asked: string[];
  /** Path to the value of a document, or to the address of a redirect. */
  readonly files: Map<string, unknown>;
  readonly server: Server;
}

async function startHost(): Promise<Host> {
  const asked: string[] = [];
  const files = new Map<string, unknown>();
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const content = files.get(url);
    if (typeof content === 'string') response.writeHead(302, { location: content }).end();
    else response.writeHead(content === undefined ? 404 : 200).end(JSON.stringify(content));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, asked, files, server };
}

let site: Host;
let inner: Host;
beforeAll(async () => {
  [site, inner] = [await startHost(), await startHost()];
});
beforeEach(() => {
  for (const { asked, files } of [site, inner]) {
    asked.length = 0;
    files.clear();
  }
  inner.files.set('/secret.json', { type: 'string' });
});
afterAll(async () => {
  for (const { server } of [site, inner]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const folderWith = (document: unknown) => temporaryFolder([['doc.json', JSON.stringify(document)]]);

const referringTo = ($ref: string) => documentOf([methodOf('a', { $ref })]);

async function problemsOf(location: string, allowRemote = false): Promise<readonly string[]> {
  try {
    await loadDocument(location, createTextReader(), { allowRemote });
    return [];
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.diagnostics.map(describeDiagnostic);
  }
}

describe('a document from disk', () => {
  test('fetches nothing remote unless that is allowed', async () => {
    const folder = folderWith(referringTo(`${inner.origin}/secret.json`));
    const [problem = '', ...others] = await problemsOf(`${folder}/doc.json`);
    expect(others).toEqual([]);
    expect(problem).toMatch(/doc\.json:\d+:\d+ #\/methods\/0\/params\/0\/schema: the reference/);
    expect(problem).toContain(
      `cannot be followed: it points to another origin, ${inner.origin}; allow it with --allow-remote`,
    );
    expect(inner.asked).toEqual([]);
    expect(await problemsOf(`${folder}/doc.json`, true)).toEqual([]);
    expect(inner.asked).toEqual(['/secret.json']);
  });

  test('reads no local file for a downloaded part', async () => {
    inner.files.set('/part.json', { properties: { a: { $ref: 'file:///etc/hostname' } } });
    const folder = folderWith(referringTo(`${inner.origin}/part.json`));
    expect((await problemsOf(`${folder}/doc.json`, true)).join()).toContain(
      'a downloaded document must not refer to a local file',
    );
  });
});

describe('a downloaded document', () => {
  test('may refer to its own origin', async () => {
    site.files.set('/doc.json', referringTo('part.json'));
    site.files.set('/part.json', { type: 'string' });
    expect(await problemsOf(`${site.origin}/doc.json`)).toEqual([]);
  });

  test.each(['directly', 'in a part', 'by a redirect'])(
    'reaches no other origin %s unless that is allowed',
    async (way) => {
      const secret = `${inner.origin}/secret.json`;
      site.files.set('/doc.json', referringTo(way === 'directly' ? secret : 'part.json'));
      site.files.set('/part.json', way === 'in a part' ? { not: { $ref: secret } } : secret);
      const messages = (await problemsOf(`${site.origin}/doc.json`)).join();
      expect(messages).toContain(`another origin, ${inner.origin}`);
      expect(messages).toContain('--allow-remote');
      expect(inner.asked).toEqual([]);
      expect(await problemsOf(`${site.origin}/doc.json`, true)).toEqual([]);
      expect(inner.asked).toEqual(['/secret.json']);
    },
  );

  test('that was found by a redirect may refer to where it was found', async () => {
    site.files.set('/doc.json', `${inner.origin}/doc.json`);
    inner.files.set('/doc.json', referringTo('secret.json'));
    expect(await problemsOf(`${site.origin}/doc.json`)).toEqual([]);
  });
});

test('lint reports a reference it does not fetch and names the option', async () => {
  const folder = folderWith(referringTo(`${inner.origin}/secret.json`));
  const reader = createTextReader();
  const { diagnostics } = await lintDocument(`${folder}/doc.json`, {
    reader,
    active: activeRules({}),
  });
  expect(diagnostics.find(({ code }) => code === 'reference-resolves')?.fix).toContain(
    '--allow-remote',
  );
  expect(inner.asked).toEqual([]);
});

test.each<[number, readonly string[]]>([
  [0, ['bundle', 'doc.json']],
  [0, ['changelog', 'doc.json', 'doc.json']],
  [1, ['check', 'doc.json']],
  [0, ['diff', 'doc.json', 'doc.json']],
  [1, ['generate', 'doc.json', '--target', 'types']],
  [0, ['generate', 'doc.json', '--target', 'docs']],
  [1, ['lint', 'doc.json', '--rule', 'method-described=off']],
  [2, ['mock', 'doc.json']],
  [2, ['proxy', '--upstream', 'http://127.0.0.1:1', '--spec', 'doc.json']],
])(
  'exit %i: %s fetches nothing from elsewhere, and names the option that allows it',
  async (code, args) => {
    const folder = folderWith(referringTo(`${inner.origin}/secret.json`));
    const { status, stdout, stderr } = await runSpecgate(args, { cwd: folder });
    expect(status).toBe(code);
    expect(stdout + stderr).toContain('--allow-remote');
    expect(inner.asked).toEqual([]);
  },
);
