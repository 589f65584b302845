import { describeDiagnostic } from '../../../common/diagnostic.ts';
import { describe, expect, test } from 'vitest';
import { bundleDraft, draftOf } from '../../../generator/bundle/bundle.ts';
import { loadModel } from '../../../generator/document.ts';
import { valueAt } from '../../../common/json/pointer.ts';
import { parseSource } from '../../../generator/source/parse.ts';
import { documentOf, methodOf, modelOf, problemsOf, readerOf } from '../support/document.ts';

const user = {
  type: 'object',
  properties: {
    home: { $ref: '#/definitions/Address' },
    friends: { type: 'array', items: { $ref: '#' } },
  },
  definitions: {
    Address: { type: 'string' },
    Tree: { properties: { kids: { type: 'array', items: { $ref: '#/definitions/Tree' } } } },
  },
};

describe('a document split over files', () => {
  const files = {
    'doc.json': documentOf([
      {
        name: 'a',
        params: [{ $ref: './params.yaml#/x' }],
        result: { name: 'r', schema: { $ref: 'types/user.json' } },
        examples: [
          { name: 'e', params: [{ name: 'q', value: { $ref: 'http://127.0.0.1:1/never' } }] },
        ],
      },
      methodOf('b', { $ref: 'types/user.json' }, { $ref: 'types/user.json#/definitions/Address' }),
      { $ref: 'methods.json#/c' },
    ]),
    'params.yaml': 'x:\n  name: x\n  schema:\n    $ref: types/user.json#/definitions/Tree\n',
    'methods.json': { c: methodOf('c', { $ref: 'types/user.json#/definitions/Tree' }) },
    'types/user.json': user,
  };

  test('becomes one document whose references lead to its own components, named after their source', async () => {
    const { document, schemas, methods } = await loadModel('doc.json', readerOf(files));
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    const targets = new Set([...references].map(([, target]) => target));
    targets.delete('http://127.0.0.1:1/never');
    expect([...schemas.keys()].toSorted()).toEqual(['Address', 'Tree', 'user']);
    expect([...targets].toSorted()).toEqual([
      '#/components/schemas/Address',
      '#/components/schemas/Tree',
      '#/components/schemas/user',
    ]);
    expect(methods.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(methods[0]?.params[0]).toMatchObject({
      name: 'x',
      schema: { $ref: '#/components/schemas/Tree' },
    });
  });

  test('keeps what only looks like a reference: the value of an example', async () => {
    const { methods } = await loadModel('doc.json', readerOf(files));
    expect(methods[0]?.examples[0]?.params[0]?.value).toEqual({ $ref: 'http://127.0.0.1:1/never' });
  });

  test('reports a missing file at the reference to it', async () => {
    const { 'types/user.json': _, ...rest } = files;
    const diagnostics = await problemsOf(rest);
    expect(diagnostics.map(({ file, pointer }) => `${file}${pointer}`)).toContain(
      'doc.json/methods/0/result/schema',
    );
    expect(diagnostics[0]?.message).toContain('types/user.json: file not found');
  });

  test('reports a syntax error in a part at its line there', async () => {
    const diagnostics = await problemsOf({ ...files, 'params.yaml': 'x: 1\ny: ]\n' });
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      expect.stringContaining('params.yaml:2:4: invalid YAML'),
      expect.stringMatching(/params\/0: .* cannot be followed: params.yaml is invalid; correct/),
    ]);
  });

  test('reports an error in a part at its place there', async () => {
    const broken = { c: { ...methodOf('c', true), sumary: 'x' } };
    const diagnostics = await problemsOf({ ...files, 'methods.json': broken });
    expect(diagnostics.map(({ file, pointer, line }) => ({ file, pointer, line }))).toEqual([
      { file: 'methods.json', pointer: '/c/sumary', line: 16 },
    ]);
  });

  test('reports references as written if a document stands in place of a schema', async () => {
    const diagnostics = await problemsOf({
      'doc.json': documentOf([{ $ref: 'method.json' }]),
      'method.json': methodOf('a', true, { $ref: 'other.json' }),
      'other.json': documentOf([{ $ref: 'method.json#/gone' }]),
    });
    expect(diagnostics.map(describeDiagnostic)).toEqual([
      expect.stringContaining(
        'method.json:13:5 #/result/schema: the reference "other.json" does not resolve to a JSON Schema',
      ),
    ]);
  });

  test('reports a reference to a missing place in a part', async () => {
    const diagnostics = await problemsOf({ ...files, 'types/user.json': { type: 'object' } });
    expect(diagnostics.map(({ message }) => message).join()).toMatch(
      /the reference "[^"]+#\/definitions\/[^"]+" does not resolve to a JSON Schema/,
    );
  });
});

test('a downloaded document cannot refer to local files', async () => {
  const document = documentOf([methodOf('a', { $ref: 'file:///etc/hostname' })]);
  const reader = {
    read: async () => ({
      name: 'http://example.org/doc.json',
      url: 'http://example.org/doc.json',
      text: JSON.stringify(document),
    }),
  };
  await expect(loadModel('http://example.org/doc.json', reader)).rejects.toThrow(
    /must not refer to a local file/,
  );
});

describe('a reference within a document', () => {
  test('to a part of a schema makes that part a component called after what it is of', async () => {
    const { schemas } = await modelOf(
      documentOf([methodOf('a', { $ref: '#/components/schemas/User/properties/home' })], {
        components: { schemas: { User: { properties: { home: { type: 'string' } } } } },
      }),
    );
    expect(schemas.get('UserHome')?.schema).toEqual({ type: 'string' });
    expect(schemas.get('User')?.schema).toEqual({
      properties: { home: { $ref: '#/components/schemas/UserHome' } },
    });
  });

  test('to the schema of a parameter is called after the method and the parameter', async () => {
    const { schemas, methods } = await modelOf(
      documentOf([
        methodOf('get_user', { type: 'string' }),
        methodOf('b', { $ref: '#/methods/0/params/0/schema' }),
      ]),
    );
    expect([...schemas.keys()]).toEqual(['GetUserValue']);
    expect(methods[0]?.params[0]?.schema).toEqual({ $ref: '#/components/schemas/GetUserValue' });
  });

  test('takes the name of the file with it when the short name is taken', async () => {
    const { schemas } = await loadModel(
      'doc.json',
      readerOf({
        'doc.json': documentOf([methodOf('a', { $ref: 'lib.json#/definitions/User' })], {
          components: { schemas: { User: { type: 'string' } } },
        }),
        'lib.json': { definitions: { User: { type: 'integer' } } },
      }),
    );
    expect([...schemas.keys()]).toEqual(['User', 'LibUser']);
  });

  test('may go through another reference', async () => {
    const { methods } = await modelOf(
      documentOf([methodOf('a', { $ref: '#/components/schemas/Alias/properties/home' })], {
        components: {
          schemas: {
            Alias: { $ref: '#/components/schemas/User' },
            User: { properties: { home: { type: 'string' } } },
          },
        },
      }),
    );
    expect(methods[0]?.params[0]?.schema).toEqual({ $ref: '#/components/schemas/UserHome' });
  });

  test('may lead through any number of others, and takes the name of what it ends at', async () => {
    const version = (from: string) => ({
      properties: { hash: { $ref: `#/components/schemas/${from}/properties/hash` } },
    });
    const { schemas } = await modelOf(
      documentOf([methodOf('a', { $ref: '#/components/schemas/V4/properties/hash' })], {
        components: {
          schemas: {
            V4: version('V3'),
            V3: version('V2'),
            V2: version('V1'),
            V1: { properties: { hash: { title: 'Hash', $ref: '#/components/schemas/Hash' } } },
            Hash: { type: 'string' },
          },
        },
      }),
    );
    expect([...schemas.keys()]).toEqual(['V4', 'V3', 'V2', 'V1', 'Hash']);
    expect(schemas.get('V4')?.schema).toEqual({
      properties: { hash: { $ref: '#/components/schemas/Hash' } },
    });
  });

  test('may be by $id, by anchor, or relative to the schema with the $id', async () => {
    const { methods, schemas } = await modelOf(
      documentOf(
        [
          methodOf('byId', { $ref: 'https://example.org/user' }),
          methodOf('byAnchor', { $ref: '#here' }),
          methodOf('own', { definitions: { Own: { type: 'null' } }, $ref: '#/definitions/Own' }),
        ],
        {
          components: {
            schemas: {
              User: {
                $id: 'https://example.org/user',
                properties: { a: { $ref: '#/definitions/A' } },
                definitions: { A: { $id: '#here', type: 'string' } },
              },
            },
          },
        },
      ),
    );
    const [byId, byAnchor, own] = methods.map(({ params }) => params[0]?.schema);
    expect(byId).toEqual({ $ref: '#/components/schemas/User' });
    expect(byAnchor).toEqual({ $ref: '#/components/schemas/A' });
    expect(own).toMatchObject({ $ref: '#/components/schemas/Own' });
    expect(schemas.get('User')?.schema).toMatchObject({
      properties: { a: { $ref: '#/components/schemas/A' } },
    });
  });

  test('to a boolean schema becomes the boolean', async () => {
    const { methods } = await modelOf(
      documentOf([methodOf('a', { $ref: '#/components/schemas/Any/properties/x' })], {
        components: { schemas: { Any: { properties: { x: true } } } },
      }),
    );
    expect(methods[0]?.params[0]?.schema).toBe(true);
  });

  test('may have anything in its name', async () => {
    const { schemas, methods } = await modelOf(
      documentOf([methodOf('a', { $ref: '#/components/schemas/a%20b~1c%25' })], {
        components: { schemas: { 'a b/c%': { type: 'string' } } },
      }),
    );
    expect(schemas.get('a b/c%')?.typeName).toBe('ABC');
    expect(methods[0]?.params[0]?.schema).toEqual({ $ref: '#/components/schemas/a%20b~1c%25' });
  });
});

describe('a name that a schema of another file has', () => {
  const files = {
    'doc.json': documentOf(
      [
        methodOf('a', { $ref: 'lib.json#city' }, { $ref: 'lib.json#/definitions/Home' }),
        methodOf('b', { $ref: 'lib.json#town' }),
      ],
      { components: { schemas: { Own: { $anchor: 'city', type: 'null' } } } },
    ),
    'lib.json': {
      definitions: {
        City: { $id: '#city', type: 'string', default: { $id: '#town' } },
        Home: { properties: { city: { $ref: '#city' }, own: { $ref: 'doc.json#city' } } },
        Town: { $anchor: 'town', type: 'number' },
      },
    },
  };

  test('resolves there, from other files and its own', async () => {
    const { read } = readerOf(files);
    const source = parseSource(await read('doc.json'));
    const { document, unresolved } = await bundleDraft(draftOf(source), { read });
    expect(unresolved).toEqual([]);
    expect(valueAt(document, '/methods/0/params/0/schema')).toEqual({
      $ref: '#/components/schemas/City',
    });
    expect(valueAt(document, '/methods/1/params/0/schema')).toEqual({
      $ref: '#/components/schemas/Town',
    });
    // Two files may have the same name; nothing leads by it any more.
    expect(valueAt(document, '/components/schemas/City')).not.toHaveProperty('$id');
    expect(valueAt(document, '/components/schemas/Home/properties')).toEqual({
      city: { $ref: '#/components/schemas/City' },
      own: { $ref: '#/components/schemas/Own' },
    });
  });

  test('is reported at the reference if no schema has it', async () => {
    const { read } = readerOf({ ...files, 'lib.json': {} });
    const source = parseSource(await read('doc.json'));
    const { unresolved } = await bundleDraft(draftOf(source), { read });
    expect(unresolved.map(({ location, message }) => `${location.pointer}: ${message}`)).toContain(
      '/methods/0/params/0/schema: the reference "lib.json#city" does not resolve to a JSON Schema',
    );
  });
});
