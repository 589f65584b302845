import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentOf, methodOf } from '../support/document.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runSpecgate } from './in-process.ts';

const BASE = 'https://schemas.example/v1';

const document = documentOf([
  methodOf('a', { $ref: `${BASE}/types#/definitions/User` }, { $ref: `${BASE}/address` }),
]);
/** Refers to another file relative to its own `$id`, and to itself. */
const types = {
  $id: `${BASE}/types`,
  definitions: {
    User: {
      type: 'object',
      properties: { address: { $ref: 'address' }, friend: { $ref: '#/definitions/User' } },
    },
  },
};
const address = { $id: `${BASE}/address#`, type: 'string', maxLength: 80 };

const files: readonly (readonly [string, string])[] = [
  ['openrpc.json', JSON.stringify(document)],
  ['schemas/types.json', JSON.stringify(types)],
  ['schemas/more/address.yaml', JSON.stringify(address)],
  ['schemas/notes.json', 'not JSON'],
];
const project = 'documents:\n  - { document: openrpc.json, targets: [types] }\nresolve: schemas\n';
const withProject = () => temporaryFolder([...files, ['specgate.config.yaml', project]]);

interface Bundled {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

async function schemasOf(cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = await runSpecgate(['bundle', ...args], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return (JSON.parse(stdout) as Bundled).components.schemas;
}

const expected = {
  User: {
    type: 'object',
    properties: {
      address: { $ref: '#/components/schemas/address' },
      friend: { $ref: '#/components/schemas/User' },
    },
  },
  address: { type: 'string', maxLength: 80 },
};

describe('a reference to the $id of a local file', () => {
  test.each<[string, readonly string[]]>([
    ['a folder', ['--resolve', 'schemas']],
    ['files', ['--resolve', 'schemas/types.json', '--resolve', 'schemas/more/address.yaml']],
    [
      'URLs',
      [
        `--resolve=${BASE}/types=schemas/types.json`,
        `--resolve=${BASE}/address=schemas/more/address.yaml`,
      ],
    ],
    ['the beginning of a URL', [`--resolve=https://schemas.example/=mirror`]],
  ])('resolves to it, by %s on the command line', async (_, options) => {
    const cwd = temporaryFolder([
      ...files,
      ['mirror/v1/types', JSON.stringify(types)],
      ['mirror/v1/address', JSON.stringify(address)],
    ]);
    expect(await schemasOf(cwd, 'openrpc.json', ...options)).toEqual(expected);
  });

  test.each<[string, string]>([
    ['a folder', 'resolve: schemas'],
    ['a list', 'resolve: [schemas/more, schemas/types.json]'],
    [
      'a map',
      `resolve: { '${BASE}/types': schemas/types.json, '${BASE}/address': schemas/more/address.yaml }`,
    ],
  ])('resolves to it, by %s in the project file', async (_, text) => {
    const cwd = temporaryFolder([...files, ['specgate.config.yaml', text]]);
    expect(await schemasOf(cwd, 'openrpc.json')).toEqual(expected);
  });

  test.each([
    [['bundle']],
    [['lint', '--rule', 'method-described=off']],
    [['diff', 'openrpc.json', 'openrpc.json']],
    [['changelog', 'openrpc.json', 'openrpc.json']],
    [['generate']],
    [['generate', 'openrpc.json', '--target', 'types', '--out', 'other']],
    [['convert', 'openapi']],
  ])('resolves in %j', async (args) => {
    const { status, stdout, stderr } = await runSpecgate(args, { cwd: withProject() });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).not.toContain('reference-resolves');
  });

  test('does not resolve without, and the message names the option', async () => {
    const { stderr } = await runSpecgate(['bundle'], { cwd: temporaryFolder(files) });
    expect(stderr).toContain('name the folder of a local file with this $id (--resolve)');
  });

  test('does not allow that file to refer to other addresses', async () => {
    const stray = { $id: `${BASE}/types`, definitions: { User: { $ref: 'nowhere' } } };
    const cwd = temporaryFolder([...files, ['schemas/types.json', JSON.stringify(stray)]]);
    const { stderr } = await runSpecgate(['bundle', '--resolve', 'schemas'], { cwd });
    expect(stderr).toMatch(
      /^warning: schemas\/types\.json:1:\d+ #\/definitions\/User: the reference "nowhere" cannot be followed: it points to another origin, https:\/\/schemas\.example; /,
    );
  });
});

test('an $id that two files declare is refused with both places', async () => {
  const cwd = temporaryFolder([...files, ['schemas/copy.json', JSON.stringify(types, null, 2)]]);
  for (const verb of ['bundle', 'lint', 'generate']) {
    const { status, stderr } = await runSpecgate([verb, 'openrpc.json', '--resolve', 'schemas'], {
      cwd,
    });
    expect(status).toBe(2);
    expect(stderr).toBe(
      `schemas/types.json:1:2 #/$id: duplicate $id "${BASE}/types" (first in schemas/copy.json:2:3); ` +
        'change one of them, or leave one of the files out of the folder\n',
    );
  }
});

test('a folder that does not exist is refused', async () => {
  const cwd = temporaryFolder(files);
  const { status, stderr } = await runSpecgate(['bundle', '--resolve', 'gone'], { cwd });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'gone: file or folder not found; check the path\n',
  });
});

test('the beginning of a URL leads to no file outside the folder', async () => {
  const outside = documentOf([
    methodOf(
      'a',
      { $ref: `${BASE}/..%2f..%2fsecret.json` },
      { $ref: `${BASE}/%2e%2e/secret.json` },
    ),
  ]);
  const cwd = temporaryFolder([
    ['openrpc.json', JSON.stringify(outside)],
    ['secret.json', '{"title":"secret"}'],
    ['schemas/a.json', '{}'],
  ]);
  const { stdout, stderr } = await runSpecgate(['bundle', `--resolve=${BASE}/=schemas/v1`], {
    cwd,
  });
  expect(stdout).not.toContain('secret"');
  expect(stderr.match(/cannot be followed/g)).toHaveLength(2);
});

test('diff reads the schemas of an older document from its commit', async () => {
  const cwd = withProject();
  const git = (...args: readonly string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'one');
  const shorter = { ...address, maxLength: 40 };
  writeFileSync(join(cwd, 'schemas/more/address.yaml'), JSON.stringify(shorter));
  const { stdout, stderr } = await runSpecgate(['diff', '--against', 'main', '--all'], { cwd });
  expect(stderr).toBe('');
  expect(stdout).toContain('(maxLength: 80 → 40)');
});
