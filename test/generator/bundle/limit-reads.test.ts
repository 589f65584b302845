import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleDraft, draftOf } from '../../../generator/bundle/bundle.ts';
import { limitReads } from '../../../generator/bundle/limit-reads.ts';
import { loadDocument } from '../../../generator/document.ts';
import { createTextReader, type TextReader } from '../../../generator/files/text.ts';
import { lintDocument } from '../../../generator/lint/lint.ts';
import { activeRules } from '../../../generator/lint/settings.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';

const document = documentOf(
  ['a', 'b', 'c'].map((name) => methodOf(name, { $ref: `${name}.json` })),
);

/** Answers the document at once, and begins answers for anything else that never end. */
const server = createServer(({ url }, response) => {
  response.writeHead(200);
  if (url === '/doc.json') response.end(JSON.stringify(document));
  else response.write(' ');
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // Loads what downloads, which takes longer than the limits of the tests.
  await reader.read(`${origin}/doc.json`);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const reader = createTextReader();

async function bundleWith(location: string, limits: Parameters<typeof limitReads>[1]) {
  const read = limitReads((url, how) => reader.read(url, how), limits);
  return bundleDraft(draftOf(parseSource(await read(location))), { read });
}

test('a document whose files are too large together is refused, naming the first file beyond', async () => {
  const text = JSON.stringify(document);
  const folder = temporaryFolder([
    ['doc.json', text],
    ...['a.json', 'b.json', 'c.json'].map((name): [string, string] => [name, '{"type":"string"}']),
  ]);
  const maxBytes = text.length + 3 * 17;
  const { document: bundled } = await bundleWith(`${folder}/doc.json`, { maxBytes });
  expect(JSON.stringify(bundled)).not.toContain('.json');
  await expect(bundleWith(`${folder}/doc.json`, { maxBytes: maxBytes - 1 })).rejects.toThrow(
    /[abc]\.json: with this file the document is larger than .* MiB; refer to fewer or smaller files$/,
  );
});

test('a document whose files take too long together is refused, naming a file', async () => {
  await expect(bundleWith(`${origin}/doc.json`, { downloadMs: 200 })).rejects.toThrow(
    /^http:.*\/(?:doc|[abc])\.json: the files of the document take longer than 0\.2 seconds to download; /,
  );
});

test('every verb reads the files of a document within one limit', async () => {
  const folder = temporaryFolder([
    ['doc.json', JSON.stringify(document)],
    ...['a.json', 'b.json', 'c.json'].map((name): [string, string] => [name, 'true']),
  ]);
  const limited: boolean[] = [];
  const noting: TextReader = {
    read(location, options) {
      limited.push(options?.signal !== undefined);
      return reader.read(location, options);
    },
  };
  await loadDocument(`${folder}/doc.json`, noting);
  await lintDocument(`${folder}/doc.json`, { reader: noting, active: activeRules({}) });
  expect(limited).toEqual(Array.from({ length: 8 }, () => true));
});
