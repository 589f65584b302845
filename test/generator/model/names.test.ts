import { describe, expect, test } from 'vitest';
import { camelCase, pascalCase } from '../../../generator/model/casing.ts';
import { documentOf, methodOf, modelOf } from '../support/document.ts';

describe('a name becomes an identifier', () => {
  test.each([
    ['eth_getProof', 'EthGetProof', 'ethGetProof'],
    ['getProgramAccounts', 'GetProgramAccounts', 'getProgramAccounts'],
    ['a.b c', 'ABC', 'aBC'],
    ['HTTPServer', 'HTTPServer', 'httpServer'],
    ['URL', 'URL', 'url'],
    ['BLOCK_NOT_FOUND', 'BlockNotFound', 'blockNotFound'],
    ['FORBIDDEN', 'Forbidden', 'forbidden'],
    ['EIP_712_DOMAIN', 'Eip712Domain', 'eip712Domain'],
    ['parse JSON text', 'ParseJSONText', 'parseJSONText'],
    ['3d model', '_3dModel', '_3dModel'],
    ['über/größe', 'ÜberGröße', 'überGröße'],
    ['***', '', ''],
  ])('%s', (name, pascal, camel) => {
    expect(pascalCase(name)).toBe(pascal);
    expect(camelCase(name)).toBe(camel);
  });
});

async function typeNamesOf(names: readonly string[], schemas: Record<string, unknown> = {}) {
  const methods = names.map((name) => methodOf(name, true));
  const model = await modelOf(documentOf(methods, { components: { schemas } }));
  return {
    methods: model.methods.map(({ typeName }) => typeName),
    members: model.methods.map(({ identifier }) => identifier),
    schemas: [...model.schemas.values()].map(({ typeName }) => typeName),
  };
}

describe('colliding names are made unique, and the first keeps its identifier', () => {
  test('by their punctuation in words', async () => {
    const { methods, members } = await typeNamesOf(['a.b', 'a b', 'a_b']);
    expect(methods).toEqual(['AB', 'ASpaceB', 'AUnderscoreB']);
    expect(members).toEqual(['aB', 'aSpaceB', 'aUnderscoreB']);
  });

  test('by their lower-case initials in words', async () => {
    expect((await typeNamesOf(['Foo', 'foo'])).methods).toEqual(['Foo', 'LowerFoo']);
  });

  test('by their punctuation when they are nothing else', async () => {
    expect((await typeNamesOf(['***', '+'])).methods).toEqual(['StarStarStar', 'Plus']);
  });

  test('by their kind when something of another kind has the name', async () => {
    const { methods } = await typeNamesOf(['getUser'], { GetUserParams: { type: 'string' } });
    expect(methods).toEqual(['GetUserMethod']);
  });

  test('and adding a method at the end changes no earlier name', async () => {
    const names = ['a.b', 'a b', 'Foo', 'foo', 'class', 'then'];
    const before = await typeNamesOf(names);
    const after = await typeNamesOf([...names, 'A_B', 'FOO', 'a..b']);
    expect(after.methods.slice(0, names.length)).toEqual(before.methods);
    expect(after.members.slice(0, names.length)).toEqual(before.members);
  });

  test('however many they are', async () => {
    const names = ['a-b', 'a_b', 'a.b', 'a b', 'a/b', 'a:b', 'aB', 'AB', 'a--b', 'A-B', 'a\u00a0b'];
    const { methods, members } = await typeNamesOf(names);
    expect(new Set(methods).size).toBe(names.length);
    expect(new Set(members).size).toBe(names.length);
  });

  test('by numbers when they are equal, so that the last of thousands is short too', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, code) => ({ code, name: 'Gone', message: 'gone' }));
    const namesOf = async (count: number) => {
      const document = documentOf([methodOf('a', true)], { 'x-errors': rows(count) });
      return (await modelOf(document)).errors.map(({ name }) => name);
    };
    expect(await namesOf(4)).toEqual(['Gone', 'GoneError', 'GoneError2', 'GoneError3']);
    const many = await namesOf(5000);
    expect(new Set(many).size).toBe(5000);
    expect(many.at(-1)).toBe('GoneError4999');
  });
});

test('a schema keeps its own key wherever TypeScript allows it', async () => {
  const { schemas } = await typeNamesOf([], {
    Foo: true,
    foo: true,
    foo_bar: true,
    'foo-bar': true,
    class: true,
    Methods: true,
    '2d': true,
  });
  expect(schemas).toEqual(['Foo', 'foo', 'foo_bar', 'FooBar', 'Class', 'MethodsSchema', '_2d']);
});

test('a schema that is the result of the method it is named after is not declared twice', async () => {
  const model = await modelOf(
    documentOf([methodOf('getUser', true, { $ref: '#/components/schemas/GetUserResult' })], {
      components: { schemas: { GetUserResult: { type: 'string' } } },
    }),
  );
  expect(model.methods[0]).toMatchObject({ typeName: 'GetUser', resultType: 'GetUserResult' });
});

test('members every object has are not replaced', async () => {
  const { members } = await typeNamesOf(['constructor', 'then', 'toString', 'request', 'delete']);
  expect(members).toEqual([
    'constructorMethod',
    'thenMethod',
    'toStringMethod',
    'requestMethod',
    'delete',
  ]);
});

test('parameters are usable as variables', async () => {
  const params = ['default', 'from', 'my key', 'my_key', 'arguments'].map((name) => ({
    name,
    schema: true,
  }));
  const { methods } = await modelOf(documentOf([{ name: 'a', params }]));
  expect(methods[0]?.params.map(({ identifier }) => identifier)).toEqual([
    'defaultParam',
    'fromParam',
    'myKey',
    'myUnderscoreKey',
    'argumentsParam',
  ]);
});
