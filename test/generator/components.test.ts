import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readFolder } from '../../generator/files/folder.ts';
import { targetNames } from '../../generator/targets/index.ts';
import { specgate, temporaryFolder, writeInto } from './support/folder.ts';

const require = createRequire(import.meta.url);
const officialGenerator = join(
  dirname(require.resolve('@open-rpc/generator/package.json')),
  'build/cli.js',
);
const petstore = readFileSync(
  join(
    dirname(require.resolve('@open-rpc/examples/package.json')),
    'build/service-descriptions/petstore-expanded-openrpc.json',
  ),
  'utf8',
);
const customComponent = fileURLToPath(new URL('../../generator/component.ts', import.meta.url));

test('the official generator with our components writes the same bytes as specgate generate', async () => {
  const components = [...targetNames, 'all'].map((name) => ({
    type: 'custom',
    name,
    language: 'typescript',
    customComponent,
    outPath: `out/${name}`,
    openRPCPath: '.',
  }));
  const config = { openrpcDocument: './openrpc.json', outDir: 'out', components };
  const cwd = temporaryFolder([
    ['openrpc.json', petstore],
    ['config.json', JSON.stringify(config)],
    ['out/types/kept.txt', 'not of the generator'],
  ]);
  execFileSync(process.execPath, [officialGenerator, 'generate', '-c', 'config.json'], { cwd });
  expect(specgate(['generate', '--target', ...targetNames], { cwd })).toMatchObject({
    status: 0,
    stderr: '',
  });

  const ours = await readFolder(join(cwd, 'generated'));
  const { 'openrpc.json': document, ...all } = Object.fromEntries(
    await readFolder(join(cwd, 'out/all')),
  );
  expect(JSON.parse(document!)).toEqual(JSON.parse(petstore));
  expect(all).toEqual(Object.fromEntries(ours));
  const types = await readFolder(join(cwd, 'out/types'));
  expect([...types.keys()].toSorted()).toEqual(['kept.txt', 'openrpc.json', 'types.ts']);
  expect(types.get('types.ts')).toBe(ours.get('types.ts'));
  const parts = await Promise.all(
    targetNames.map(async (name) => [...(await readFolder(join(cwd, 'out', name))).entries()]),
  );
  for (const [path, text] of ours) {
    const part = parts.flat().find(([each]) => each === path);
    expect(part?.[1], path).toBe(text);
  }
});

test.each([
  [{ name: 'types', openRPCPath: null }, /component "types": openRPCPath is missing/],
  [{ name: 'x' }, /component "x": unknown target; expected "name" to be one of types, /],
])('a component with %o says what it needs', (own, message) => {
  const cwd = temporaryFolder([['openrpc.json', petstore]]);
  const component = { type: 'custom', language: 'typescript', customComponent, outPath: 'out' };
  const components = [{ ...component, ...own }];
  writeInto(cwd, 'config.json', JSON.stringify({ openrpcDocument: './openrpc.json', components }));
  const run = () =>
    execFileSync(process.execPath, [officialGenerator, 'generate', '-c', 'config.json'], {
      cwd,
      stdio: 'pipe',
    });
  expect(run).toThrow(message);
});
