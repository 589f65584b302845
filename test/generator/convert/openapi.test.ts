import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../common/json/value.ts';
import { toOpenApi } from '../../../generator/convert/openapi.ts';
import { loadModel } from '../../../generator/document.ts';
import { createTextReader } from '../../../generator/files/text.ts';
import { runSpecgate } from '../cli/in-process.ts';
import { documentOf, methodOf, modelOf, type Document } from '../support/document.ts';
import { atScale } from '../../support/soak.ts';

const resolve = createRequire(import.meta.url).resolve;

async function convert(document: Document): Promise<JsonObject> {
  return toOpenApi(await modelOf(document));
}

/** What a strict validator of OpenAPI says about a document. */
async function validate(openApi: JsonObject) {
  const { valid, errors } = await new Validator().validate(structuredClone(openApi));
  return { valid, errors };
}

function operationOf({ paths }: JsonObject, path: string): JsonObject {
  return (paths as Record<string, { post: JsonObject }>)[path]!.post;
}

function contentOf(holder: unknown): { schema: JsonObject; examples?: Record<string, JsonObject> } {
  return (holder as { content: Record<string, never> }).content['application/json']!;
}

describe('documents become valid OpenAPI 3.1', () => {
  const documents = [
    'openrpc.json',
    resolve('@metamask/api-specs').replace('index.js', 'build/openrpc.json'),
    'test/generator/documents/combined.json',
    'test/generator/documents/recursive.json',
    'test/generator/documents/structures.yaml',
  ];
  test.each(documents)('%s', async (path) => {
    const model = await loadModel(path, createTextReader());
    const openApi = toOpenApi(model);
    expect(await validate(openApi)).toEqual({ valid: true, errors: undefined });
    const operations = Object.values(openApi['paths'] as Record<string, { post: JsonObject }>);
    expect(operations.map(({ post }) => post['operationId'])).toEqual(
      model.methods.map(({ name }) => name),
    );
  });
});

test('a method has its request, result, examples and errors by their HTTP status', async () => {
  const openApi = toOpenApi(await loadModel('openrpc.json', createTextReader()));
  const operation = operationOf(openApi, '/{api_key}#eth_getProof');
  const request = contentOf(operation['requestBody']);
  expect(request.schema).toMatchObject({
    required: ['jsonrpc', 'id', 'method', 'params'],
    properties: {
      method: { const: 'eth_getProof' },
      params: { type: 'array', minItems: 2, maxItems: 3 },
    },
  });
  const [name, example] = Object.entries(request.examples!)[0]!;
  expect(example['value']).toMatchObject({ jsonrpc: '2.0', id: 1, method: 'eth_getProof' });
  const responses = operation['responses'] as Record<string, { description: string }>;
  expect(contentOf(responses['200']).examples![name]!['value']).toMatchObject({ result: {} });
  expect(Object.keys(responses)).toContain('401');
  expect(responses['401']!.description).toBe('Errors:\n\n- 401 unauthorized');
  expect(contentOf(responses['401']).schema).toEqual({ $ref: '#/components/schemas/JsonRpcError' });
});

test('the shared last segment of the server URLs is the path, with its variables', async () => {
  const { servers, paths } = await convert(
    documentOf([methodOf('a', true)], {
      servers: [
        {
          url: 'https://${region}.example/rpc/{key}',
          summary: 'Main.',
          variables: { region: { default: 'eu', enum: ['eu', 'us'] }, key: { default: 'demo' } },
        },
        { url: 'ws://a.example/ws/{key}', variables: { key: { default: 'demo' } } },
      ],
    }),
  );
  expect(servers).toEqual([
    {
      url: 'https://{region}.example/rpc',
      description: 'Main.',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
    },
  ]);
  expect((paths as JsonObject)['/{key}#a']).toMatchObject({
    parameters: [{ name: 'key', in: 'path', required: true, schema: { default: 'demo' } }],
  });
});

test('servers with different paths keep them', async () => {
  const urls = ['https://a.example', 'https://b.example/v1/rpc', 'https://c.example:80/'];
  const { servers, paths } = await convert(
    documentOf([methodOf('a', true)], { servers: urls.map((url) => ({ url })) }),
  );
  expect(servers).toEqual([
    { url: 'https://a.example' },
    { url: 'https://b.example/v1/rpc' },
    { url: 'https://c.example:80' },
  ]);
  expect(Object.keys(paths as object)).toEqual(['/#a']);
});

test('parameters by name, by position and both', async () => {
  const schemaOf = async (paramStructure?: string): Promise<unknown> => {
    const method = { ...methodOf('a', { type: 'string' }), paramStructure };
    const { properties } = contentOf(
      operationOf(await convert(documentOf([method])), '/#a')['requestBody'],
    ).schema;
    return (properties as JsonObject)['params'];
  };
  const byName = {
    type: 'object',
    properties: { value: { type: 'string' } },
    required: ['value'],
    additionalProperties: false,
  };
  const byPosition = {
    type: 'array',
    prefixItems: [{ type: 'string' }],
    minItems: 1,
    maxItems: 1,
  };
  expect(await schemaOf('by-name')).toEqual(byName);
  expect(await schemaOf('by-position')).toEqual(byPosition);
  expect(await schemaOf()).toEqual({ anyOf: [byPosition, byName] });
});

test('a notification has no id and no response', async () => {
  const { result: _, ...notification } = methodOf('ping', true) as Record<string, unknown>;
  const operation = operationOf(await convert(documentOf([notification])), '/#ping');
  expect(contentOf(operation['requestBody']).schema['required']).toEqual([
    'jsonrpc',
    'method',
    'params',
  ]);
  expect(Object.keys(operation['responses'] as object)).toEqual(['2XX']);
});

test('names that OpenAPI does not allow, and that of the error response, are replaced', async () => {
  const openApi = await convert(
    documentOf([methodOf('a/b c', { $ref: '#/components/schemas/A%20Type' })], {
      components: { schemas: { 'A Type': { type: 'string' }, JsonRpcError: { type: 'number' } } },
    }),
  );
  const { schemas } = openApi['components'] as { schemas: JsonObject };
  expect(Object.keys(schemas)).toEqual(['A_Type', 'JsonRpcErrorSchema', 'JsonRpcError']);
  expect(JSON.stringify(operationOf(openApi, '/#a%2Fb%20c'))).toContain(
    '"$ref":"#/components/schemas/A_Type"',
  );
  expect(await validate(openApi)).toEqual({ valid: true, errors: undefined });
});

test('the command writes JSON or YAML, and refuses another format', async () => {
  const json = await runSpecgate(['convert', 'openapi', 'openrpc.json']);
  expect({ status: json.status, stderr: json.stderr }).toEqual({ status: 0, stderr: '' });
  const { version } = JSON.parse(readFileSync('openrpc.json', 'utf8')).info as { version: string };
  expect(JSON.parse(json.stdout)).toMatchObject({ openapi: '3.1.0', info: { version } });
  const yaml = await runSpecgate(['convert', 'openapi', 'openrpc.json', '--format', 'yaml']);
  expect(yaml.stdout).toMatch(/^openapi: 3\.1\.0\n/);
  const other = await runSpecgate(['convert', 'asyncapi', 'openrpc.json']);
  expect(other.status).toBe(2);
  expect(other.stderr).toContain('Allowed choices are openapi.');
});

test('the servers of a document with very many methods are read once', async () => {
  const count = atScale(9_000, 3_000);
  const servers = Array.from({ length: count }, (_, index) => ({
    name: `s${index}`,
    url: `https://h.example/v${index}/rpc`,
  }));
  const methods = Array.from({ length: count }, (_, index) => methodOf(`m${index}`, true));
  const openApi = await convert(documentOf(methods, { servers }));
  expect(openApi['servers']).toHaveLength(count);
  expect(Object.keys(openApi['paths'] as object)).toHaveLength(count);
});
