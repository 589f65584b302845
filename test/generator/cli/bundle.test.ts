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

test('an invalid document is reported and nothing is written', async () => {
  const cwd = temporaryFolder([['openrpc.json', '{"openrpc":"1.3.2"}']]);
  const { status, stderr } = await runSpecgate(['bundle', '--out', 'one.json'], { cwd });
  expect(status).toBe(2);
  expect(stderr).toBe(
    'openrpc.json:1:1 #/info: missing; add it\nopenrpc.json:1:1 #/methods: missing; add it\n',
  );
  expect(existsSync(join(cwd, 'one.json'))).toBe(false);
});
