import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { printExact } from '../../../common/json/exact.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { documentOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const split = fileURLToPath(new URL('../documents/split/openrpc.yaml', import.meta.url));

const read = (name: string, text: string) =>
  parseSource({ name, url: `file:///${name}`, text }).value;

test('a document split over files becomes one with internal references only', async () => {
  const { status, stdout, stderr } = await runSpecgate(['bundle', split]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const references = [...stdout.matchAll(/"\$ref": "(.*)"/g)].map(([, reference]) => reference!);
  expect(references.length).toBeGreaterThan(5);
  for (const reference of references) expect(reference).toMatch(/^#\/components\//);
  const document = JSON.parse(stdout) as { components: { schemas: object }; methods: object[] };
  expect(Object.keys(document.components.schemas)).toEqual(['UserId', 'user', 'Team']);
  expect(document.methods[0]).toMatchObject({
    name: 'users.get',
    errors: [{ code: 404 }],
    examples: [{ name: 'a lead', params: [{ name: 'user id', value: 'u1' }] }],
  });
});

test('bundling is deterministic and leaves a bundled document unchanged', async () => {
  const cwd = temporaryFolder();
  const first = (await runSpecgate(['bundle', split])).stdout;
  await runSpecgate(['bundle', split, '--out', 'new/one.json'], { cwd });
  expect(readFileSync(join(cwd, 'new/one.json'), 'utf8')).toBe(first);
  expect((await runSpecgate(['bundle', 'new/one.json'], { cwd })).stdout).toBe(first);
});

test('JSON and YAML have the same content, with every digit of wide integers', async () => {
  const document = JSON.stringify(
    documentOf([], { 'x-most': 0, 'x-text': '18446744073709551615n' }),
  );
  const text = document.replace('"x-most":0', '"x-most":18446744073709551615');
  const cwd = temporaryFolder([['openrpc.json', text]]);
  await runSpecgate(['bundle', '--out', 'openrpc.yaml'], { cwd });
  const yaml = readFileSync(join(cwd, 'openrpc.yaml'), 'utf8');
  expect(yaml).toContain('x-most: 18446744073709551615\n');
  expect(printExact(read('a.yaml', yaml))).toBe(text);
  const { stdout } = await runSpecgate(['bundle', '-', '--format', 'json'], { cwd, input: yaml });
  expect(printExact(read('a.json', stdout))).toBe(text);
});

test('YAML has no line ends that only some readers know', async () => {
  const text = 'a\u0085b\u2028c\u2029d: # e';
  const document = documentOf([], { 'x-text': text, [`x-${text}`]: [text] });
  const cwd = temporaryFolder([['openrpc.json', JSON.stringify(document)]]);
  const { stdout } = await runSpecgate(['bundle', '--format', 'yaml'], { cwd });
  expect(stdout).not.toMatch(/[\u0085\u2028\u2029]/);
  expect(read('a.yaml', stdout)).toEqual(document);
});

test('an invalid document is reported and nothing is written', async () => {
  const cwd = temporaryFolder([['openrpc.json', '{"openrpc":"1.3.2"}']]);
  const { status, stderr } = await runSpecgate(['bundle', '--out', 'one.json'], { cwd });
  expect(status).toBe(2);
  expect(stderr).toBe(
    'openrpc.json:1:1 #/info: missing; add it\nopenrpc.json:1:1 #/methods: missing; add it\n',
  );
  expect(existsSync(join(cwd, 'one.json'))).toBe(false);
});

const result = { name: 'result', schema: true };

test('--strip-extensions removes extensions of objects and schemas, and keeps data and names', async () => {
  const schema = {
    'x-format': 'base58',
    type: 'object',
    properties: { 'x-name': true, tags: { 'x-expected': 'tags', default: { 'x-kept': 1 } } },
    examples: [{ 'x-kept': 2 }],
  };
  const method = {
    name: 'a',
    'x-credits': 1,
    params: [{ name: 'p', 'x-new': true, schema }],
    result,
    examples: [
      { name: 'e', 'x-network': 'n', params: [], result: { name: 'r', value: { 'x-kept': 3 } } },
    ],
  };
  const input = JSON.stringify(
    documentOf([method], {
      'x-errors': [],
      components: { schemas: { 'x-T': { type: 'string', 'x-a': 1 } } },
    }),
  );
  const { stdout } = await runSpecgate(['bundle', '-', '--strip-extensions'], { input });
  const names = [...stdout.matchAll(/"(x-.*?)"/g)].map(([, name]) => name);
  expect(names).toEqual(['x-name', 'x-kept', 'x-kept', 'x-kept', 'x-T']);
});

test('--openrpc 1.2.6 leaves out examples without a result, and says how many', async () => {
  const pairing = (name: string, more: object) => ({ name, params: [], ...more });
  const answered = { result: { name: 'r', value: 1 } };
  const reference = (name: string) => ({ $ref: `#/components/examplePairings/${name}` });
  const method = {
    name: 'a',
    params: [],
    result,
    examples: [pairing('yes', answered), pairing('no', {}), reference('Yes'), reference('No')],
  };
  const examplePairings = { Yes: pairing('Yes', answered), No: pairing('No', {}) };
  const input = JSON.stringify(documentOf([method], { components: { examplePairings } }));
  const { stdout, stderr } = await runSpecgate(['bundle', '-', '--openrpc', '1.2.6'], { input });
  expect(stderr).toBe('omitted 2 examples without a result (OpenRPC 1.2.6)\n');
  const document = JSON.parse(stdout) as typeof method & { readonly methods: readonly object[] };
  expect(document).toMatchObject({
    openrpc: '1.2.6',
    methods: [{ examples: [{ name: 'yes' }, reference('Yes')] }],
  });
  expect(stdout).not.toMatch(/\b[Nn]o"/);
});

test('--openrpc 1.2.6 refuses a method without a result', async () => {
  const input = JSON.stringify(documentOf([{ name: 'notify', params: [] }]), null, 1);
  const { status, stdout, stderr } = await runSpecgate(['bundle', '-', '--openrpc', '1.2.6'], {
    input,
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(
    /^<stdin>:\d+:\d+ #\/methods\/0: the method "notify" has no result, which OpenRPC 1\.2\.6 requires; add a result, or bundle without --openrpc\n$/,
  );
});

test('--server replaces the servers of the document and of its methods', async () => {
  const servers = [{ name: 'old', url: 'http://old.example' }];
  const method = { name: 'a', params: [], result, servers };
  const input = JSON.stringify(documentOf([method], { servers }));
  const url = 'http://127.0.0.1:8545/v3/demo';
  const { stdout } = await runSpecgate(['bundle', '-', '--server', url], { input });
  expect(JSON.parse(stdout)).toMatchObject({ servers: [{ url }] });
  expect(stdout).not.toContain('old');
  const wrong = await runSpecgate(['bundle', '-', '--server', 'localhost'], { input });
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain('Expected an address such as http://127.0.0.1:8545/v3/demo.');
});
