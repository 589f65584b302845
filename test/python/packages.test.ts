/** Python packages of many documents: they compile, import, type-check and call as documented. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import openrpc from '../../openrpc.json' with { type: 'json' };
import awkward from '../client/fixtures/awkward.json' with { type: 'json' };
import {
  checkTypes,
  emitPython,
  findPythons,
  hasMypy,
  ownPackage,
  python,
  type PythonPackage,
  runPython,
  writePython,
} from './support/python.ts';

const documents = join(import.meta.dirname, '../generator/documents');
const support = join(import.meta.dirname, 'support');
const metamask = createRequire(import.meta.url).resolve('@metamask/api-specs');

function read(file: string): unknown {
  return parse(readFileSync(file, 'utf8'));
}

const others = {
  'combined schemas': read(join(documents, 'combined.json')),
  'a document with rpc.discover': read(join(documents, 'discover.json')),
  'no methods': read(join(documents, 'empty.json')),
  'recursion in every form': read(join(documents, 'recursive.json')),
  'every way to pass parameters': read(join(documents, 'structures.yaml')),
  'awkward names': awkward,
  '@metamask/api-specs': read(join(metamask, '../build/openrpc.json')),
  "@metamask/api-specs' second": read(join(metamask, '../build/multichain-openrpc.json')),
};

/** Names that are reserved in Python, in every place of a document. */
const reserved = {
  openrpc: '1.3.2',
  info: { title: '42 names', version: '1' },
  methods: ['request', 'import', 'a.b', 'a_b', 'aB', '__init__', 'été', 'match', '"""'].map(
    (name) => ({
      name,
      summary: 'Says """ and \\ and ends with "',
      params: ['self', 'timeout', 'class', 'ﬁ', 'fi', 'None'].map((param) => ({
        name: param,
        schema: { $ref: '#/components/schemas/str' },
      })),
      result: { name: 'r', schema: { $ref: '#/components/schemas/TypedDict' } },
      errors: [
        { code: 1, message: 'Timeout' },
        { code: 2, message: 'Connection' },
      ],
    }),
  ),
  components: {
    schemas: {
      str: { type: 'string', enum: ['"', "'", '\\', '\n', 'a'] },
      None: { type: 'null' },
      Nothing: { enum: [null] },
      Both: {
        oneOf: [{ $ref: '#/components/schemas/None' }, { $ref: '#/components/schemas/Nothing' }],
      },
      TypedDict: {
        type: 'object',
        required: ['class', '__name', 'a b', '"'],
        properties: {
          class: { $ref: '#/components/schemas/list' },
          __name: { $ref: '#/components/schemas/Both' },
          'a b': { type: 'object', properties: { x: { type: 'integer' } } },
        },
      },
      list: { type: 'array', items: { $ref: '#/components/schemas/list' } },
    },
  },
};

async function inspect({ path, module }: PythonPackage, command?: string) {
  const script = join(support, 'inspect_package.py');
  const options = command === undefined ? { path } : { path, command };
  return runPython(['-W', 'error', script, path, module], options);
}

async function callAll({ path, module }: PythonPackage, calls: readonly unknown[]) {
  const given = calls.map((call) => JSON.stringify(call));
  const script = join(support, 'calls.py');
  const { stdout, stderr } = await runPython(['-W', 'error', script, path, module, ...given], {
    path,
  });
  expect(stderr).toBe('');
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe.skipIf(python === null)('a generated Python package', () => {
  test.concurrent.each(Object.entries({ ...others, openrpc, reserved }))(
    'compiles, imports without a warning, and all its annotations resolve: %s',
    async (_, document) => {
      await using folder = await writePython(document);
      const { stdout, stderr } = await inspect(folder);
      expect(stderr).toBe('');
      expect(Number(/^(\d+) annotations\n$/.exec(stdout)?.[1])).toBeGreaterThan(100);
    },
  );

  test.each([...findPythons()])(
    'compiles and imports without a warning with Python %s, which it declares to work with',
    async (_, command) => {
      await using folder = await writePython(openrpc);
      const declared = emitPython(openrpc).get('pyproject.toml')!;
      expect(declared).toContain('requires-python = ">=3.11"');
      const { stdout, stderr } = await inspect(folder, command);
      expect({ stderr, stdout }).toEqual({ stderr: '', stdout: expect.stringMatching(/^\d+ ann/) });
    },
  );

  test('passes params as documented', async () => {
    await using folder = await writePython(others['every way to pass parameters']);
    expect(
      await callAll(folder, [
        ['by_position', [1, 'a', null], {}],
        ['by_position', ['OMIT', 'a'], {}],
        ['by_position', [1, 'a'], { third_one: true }],
        ['by_name', [], { class_param: 'a', user_id: 'x' }],
        ['by_name', ['x'], {}],
        ['either_way', [{ x: 1 }, ['c']], {}],
        ['either_way', [{ x: 1 }], {}],
        ['notification', ['news'], {}],
      ]),
    ).toEqual([
      ['by.position', [1, 'a', null], false],
      ['by.position', [null, 'a'], false],
      ['by.position', [1, 'a', true], false],
      ['by name', { 'user id': 'x', class: 'a' }, false],
      expect.stringMatching(/^TypeError: .*positional argument/),
      ['either/way', [{ x: 1 }, ['c']], false],
      ['either/way', [{ x: 1 }], false],
      ['notification', ['news'], true],
    ]);
  });

  test('makes names unique that collide or are reserved in Python', async () => {
    await using folder = await writePython(reserved);
    expect(folder.module).toBe('_42_names_client');
    expect(
      await callAll(folder, [
        ['request_method', ['a'], {}],
        ['import_method', [], { self_param: 'a', timeout: 'a', call_timeout: 9 }],
        ['a_b', [], { fi: 'a' }],
        ['a_underscore_b', [], { none: 'a' }],
      ]),
    ).toEqual([
      ['request', ['a'], false],
      ['import', ['a', 'a'], false],
      ['a.b', { ﬁ: 'a' }, false],
      ['a_b', { None: 'a' }, false],
    ]);
  });
});

describe.skipIf(!hasMypy)('the types of a generated Python package', () => {
  test('accept valid uses and reject what the document does not allow', async () => {
    const use = join(support, 'typed_use.py');
    expect(await checkTypes([use], ownPackage)).toBe('');
  });

  // openrpc.json is checked above.
  test.each([
    ['reserved names', reserved],
    ['@metamask/api-specs', others['@metamask/api-specs']],
  ])('pass mypy in strict mode: %s', async (_, document) => {
    await using folder = await writePython(document);
    expect(await checkTypes(['-p', folder.module], folder.path)).toBe('');
  });
});

describe('the Python target', () => {
  test('writes one package with banners and the document’s name and version', () => {
    const files = emitPython(openrpc);
    for (const [path, text] of files) expect(text.split('\n')[0], path).toContain('@generated by');
    const manifest = files.get('pyproject.toml');
    expect(manifest).toContain('name = "blockchain-node-json-rpc-service-client"');
    expect(manifest).toContain(`version = "${openrpc.info.version}"`);
    expect(manifest).toContain('dependencies = []');
  });

  test('writes types for rounded numbers, never and cycles that strict type checkers accept', () => {
    const schemas = {
      Nothing: false,
      B: { oneOf: [{ $ref: '#/components/schemas/C' }, { type: 'null' }] },
      C: {
        oneOf: [
          { $ref: '#/components/schemas/B' },
          { type: 'array', items: { $ref: '#/components/schemas/C' } },
        ],
      },
      Rings: { type: 'array', items: { $ref: '#/components/schemas/Rings' } },
      Own: { anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Own' }] },
    };
    const files = emitPython({
      openrpc: '1.3.2',
      info: { title: 'T', version: '1.0.0' },
      methods: [
        {
          name: 'numbers',
          params: [
            { name: 'result', schema: { enum: [7, 0.5, 1e300, 2 ** 60] } },
            { name: 'own', schema: { $ref: '#/components/schemas/Own' } },
          ],
          result: { name: 'r', schema: { $ref: '#/components/schemas/Nothing' } },
        },
      ],
      components: { schemas },
    });
    const client = files.get('src/t_client/client.py')!;
    // Literal does not allow fractions or rounded numbers.
    expect(client).toContain('result: float | Omit | Literal[7] = OMIT');
    // A local of the same name would shadow the parameter.
    expect(client).toContain('return call_result\n');
    // A function that returns Never must not return.
    expect(client).toContain('-> Any:\n');
    expect(client).not.toContain('NumbersResult');
    // Marks an import that is not used by name as intended.
    expect(client).toContain('    Rings as Rings,\n');
    const types = files.get('src/t_client/types.py')!;
    expect(types).toContain('\nB: TypeAlias = Any\n');
    expect(types).toContain('\nOwn: TypeAlias = str\n');
  });

  test('is deterministic', () => {
    expect([...emitPython(openrpc)]).toEqual([...emitPython(openrpc)]);
  });

  test.each([
    ['3.1.0-rc.2', '3.1.0rc2'],
    ['2', '2.0.0'],
    ['1.0.0-next.4', '1.0.0.dev4'],
    ['1.0.0-beta', '1.0.0b0'],
    ['spring', '0.0.0'],
  ])('writes version %s as %s (PEP 440)', (version, expected) => {
    const files = emitPython({ ...openrpc, info: { ...openrpc.info, version } });
    expect(files.get('pyproject.toml')).toContain(`\nversion = "${expected}"\n`);
  });

  test('documents cost, errors and link in each docstring', () => {
    const client = emitPython(openrpc).get(
      'src/blockchain_node_json_rpc_service_client/client.py',
    )!;
    for (const method of openrpc.methods) {
      expect(client.split(`Costs ${method['x-credits']} credit`).length).toBeGreaterThan(2);
      expect(client).toContain(`See ${method.externalDocs.url}`);
    }
    expect(client).toContain('CreditsExhaustedError: 402');
  });
});
