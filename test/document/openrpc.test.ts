import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseOpenRPCDocument } from '@open-rpc/schema-utils-js';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import {
  document,
  everyExample,
  paramsOf,
  resolve,
  resolvePointer,
  resultOf,
  type JsonObject,
} from '../support/document.ts';
import { isObject } from '../support/mutations.ts';
import { compilePointer } from '../support/schemas.ts';
import { valueKinds } from '../data/value-kinds.ts';

// A CommonJS package whose declarations name only the types.
const { openrpcDocument: metaSchema } = createRequire(import.meta.url)('@open-rpc/meta-schema') as {
  openrpcDocument: JsonObject;
};

const fields = JSON.parse(
  readFileSync(new URL('../data/interface.json', import.meta.url), 'utf8'),
) as {
  credits: Record<string, number>;
  websocketExamples: string[];
  forwarded: string[];
  params: Record<string, [string, boolean][]>;
  nullable: string[];
  /** Where null is also accepted, because known nodes or clients send it. */
  deviations: Record<string, string[]>;
  /** What known nodes leave out where another field says the same. */
  leftOut: Record<string, string[]>;
  fields: Record<
    string,
    {
      required: string[];
      optional: string[];
      nullable: string[];
      /** The kind of each field's values (`valueKinds`), and the words that state its meaning. */
      meanings: Record<string, [kind: string, meaning: string]>;
    }
  >;
  /** Places of the document, and what each has to say. */
  texts: [pointer: string, words: string][];
};

/** Properties and required names of an object schema, through `$ref` and `allOf`. */
function flatten(schema: JsonObject): { properties: JsonObject; required: string[] } {
  const here = resolve<JsonObject>(schema);
  const parts = ((here['allOf'] ?? []) as JsonObject[]).map(flatten);
  return {
    properties: Object.assign(
      {},
      ...parts.map((part) => part.properties),
      here['properties'] ?? {},
    ) as JsonObject,
    required: [
      ...parts.flatMap((part) => part.required),
      ...((here['required'] ?? []) as string[]),
    ],
  };
}

/** The pointer of a field of a schema, through `$ref` and `allOf`. */
function pointerOf(schema: string, field: string): string {
  const here = resolvePointer(document, schema) as JsonObject;
  if (typeof here['$ref'] === 'string') return pointerOf(here['$ref'].slice(1), field);
  if (field in ((here['properties'] ?? {}) as JsonObject)) return `${schema}/properties/${field}`;
  const parts = ((here['allOf'] ?? []) as JsonObject[]).map((_, index) =>
    pointerOf(`${schema}/allOf/${index}`, field),
  );
  return parts.find((pointer) => pointer !== '') ?? '';
}

function allowsNull(schema: JsonObject): boolean {
  const here = resolve<JsonObject>(schema);
  const branches = [
    ...((here['oneOf'] ?? []) as JsonObject[]),
    ...((here['anyOf'] ?? []) as JsonObject[]),
  ];
  return here['type'] === 'null' || branches.some(allowsNull);
}

describe('the document is valid OpenRPC', () => {
  test('schema-utils-js accepts it, extensions included', async () => {
    await expect(
      parseOpenRPCDocument(structuredClone(document) as never, { dereference: false }),
    ).resolves.toBeDefined();
  });

  test('the meta-schema of @open-rpc/meta-schema accepts it', () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    // It refers to a JSON Schema meta-schema by URL; the test after the next covers that part.
    const text = JSON.stringify(metaSchema)
      .replaceAll(
        'https://meta.json-schema.tools/#/definitions/JSONSchemaObject/properties/$ref',
        '#/definitions/anything',
      )
      .replaceAll('https://meta.json-schema.tools', '#/definitions/anything');
    const schema = JSON.parse(text) as JsonObject & { definitions: JsonObject };
    schema.definitions['anything'] = {};
    delete schema['$schema'];
    const validate = ajv.compile(schema);
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  });

  test('extensions appear only in the objects they are restricted to', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    const values = document as unknown as Record<string, unknown>;
    const checked = document['x-extensions'].filter(({ name }) => name in values);
    expect(checked.map(({ name }) => name).toSorted()).toEqual([
      'x-behavior',
      'x-decisions',
      'x-errors',
      'x-limits',
      'x-plans',
      'x-service-methods',
    ]);
    for (const { name, schema } of checked) {
      const validate = ajv.compile(schema);
      expect(validate(values[name]), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  test('every x- key used anywhere is declared in x-extensions', () => {
    const declared = new Set(document['x-extensions'].map(({ name }) => name));
    const used = new Set<string>();
    const walk = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, child] of Object.entries(value)) {
        if (key.startsWith('x-') && key !== 'x-extensions') used.add(key);
        if (key !== 'value') walk(child);
      }
    };
    walk(document);
    expect([...used].filter((key) => !declared.has(key))).toEqual([]);
  });

  test('every schema is a valid JSON Schema of draft-07', () => {
    const ajv = new Ajv({ strict: false });
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(ajv.validateSchema(schema), `${name}: ${JSON.stringify(ajv.errors)}`).toBe(true);
    }
  });

  test('every reference resolves', () => {
    const dangling: string[] = [];
    JSON.stringify(document, (key, value: unknown) => {
      if (key === '$ref' && resolvePointer(document, String(value).slice(1)) === undefined)
        dangling.push(String(value));
      return value;
    });
    expect(dangling).toEqual([]);
  });
});

describe('the document matches the interface description', () => {
  test('it has the methods of the interface with their cost in credits', () => {
    const costs = Object.fromEntries(
      document.methods.map((method) => [method.name, method['x-credits']]),
    );
    expect(costs).toEqual(fields.credits);
  });

  test('getProgramAccounts is of the svm family, the eth_ methods of evm', () => {
    const families = Object.groupBy(document.methods, (method) => method['x-network-family']);
    expect(families.svm?.map(({ name }) => name)).toEqual(['getProgramAccounts']);
    const names = Object.keys(fields.params).filter((name) => name.startsWith('eth_'));
    expect(families.evm?.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  test('every method supports both transports and lists those that the description shows', () => {
    for (const method of document.methods) {
      expect(method['x-transports'].supported).toEqual(['http', 'websocket']);
      const shown = fields.websocketExamples.includes(method.name)
        ? ['http', 'websocket']
        : ['http'];
      expect(method['x-transports'].documented, method.name).toEqual(shown);
    }
  });

  test('only eth_getTransactionByBlockHashAndIndex may be forwarded to a partner', () => {
    const forwarded = document.methods.filter((method) => method['x-forwarding']?.partner === true);
    expect(forwarded.map(({ name }) => name)).toEqual(fields.forwarded);
  });

  test.each(Object.entries(fields.params))(
    '%s takes its parameters by position, in order',
    (name, expected) => {
      const method = document.methods.find((candidate) => candidate.name === name)!;
      expect(method.paramStructure).toBe('by-position');
      const params = paramsOf(method);
      expect(params.slice(0, expected.length).map((param) => param.required)).toEqual(
        expected.map(([, required]) => required),
      );
      const more = params.slice(expected.length).map(({ name, required }) => [name, required]);
      // The state override of geth, which clients send (D6).
      expect(more).toEqual(name === 'eth_estimateGas' ? [['stateOverride', false]] : []);
      const samples: Record<string, unknown> = {
        hash: `0x${'ab'.repeat(32)}`,
        address: `0x${'ab'.repeat(20)}`,
        index: '0x0',
        block: 'latest',
        boolean: true,
        array: [],
        string: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        object: name === 'eth_estimateGas' ? { to: `0x${'ab'.repeat(20)}` } : {},
      };
      for (const [index, [kind]] of expected.entries()) {
        const reference = (method.params[index] as { $ref?: string }).$ref;
        const pointer =
          reference === undefined
            ? `/methods/${document.methods.indexOf(method)}/params/${index}`
            : reference.slice(1);
        const validate = compilePointer(`${pointer}/schema`);
        expect(
          validate(samples[kind]),
          `${name} parameter ${index + 1} takes a ${kind}: ${JSON.stringify(validate.errors)}`,
        ).toBe(true);
      }
    },
  );

  test.each(Object.entries(fields.fields))(
    '%s has every listed field, required and nullable as listed',
    (name, expected) => {
      const { properties, required } = flatten(document.components.schemas[name]!);
      for (const field of [...expected.required, ...expected.optional])
        expect(Object.keys(properties), `${name}.${field}`).toContain(field);
      const leftOut = fields.leftOut[name] ?? [];
      expect([...required, ...leftOut].toSorted()).toEqual(expected.required.toSorted());
      const nullable = [...expected.required, ...expected.optional].filter((field) =>
        allowsNull(properties[field] as JsonObject),
      );
      const wanted = [...expected.nullable, ...(fields.deviations[name] ?? [])];
      expect(nullable.toSorted()).toEqual(wanted.toSorted());
    },
  );

  test.each(
    Object.entries(fields.fields).flatMap(([name, { meanings }]) =>
      Object.entries(meanings).map(([field, [kind, meaning]]) => ({ name, field, kind, meaning })),
    ),
  )('$name: $field has its meaning, and takes only values of its kind', (row) => {
    const pointer = pointerOf(`/components/schemas/${row.name}`, row.field);
    const schema = resolvePointer(document, pointer);
    expect(resolve<JsonObject>(schema)['description']).toContain(row.meaning);
    const validate = compilePointer(pointer);
    const { takes, refuses } = valueKinds[row.kind]!;
    expect(takes.filter((value) => !validate(value))).toEqual([]);
    expect(refuses.filter((value) => validate(value))).toEqual([]);
  });

  test.each(fields.texts)('the text at %s says what it must', (pointer, words) => {
    expect(resolvePointer(document, pointer)).toContain(words);
  });

  test('every field of the description has its meaning in the schema', () => {
    const bare: string[] = [];
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(schema['title'], `${name} has a title`).toBeTypeOf('string');
      expect(schema['description'], `${name} has a description`).toBeTypeOf('string');
      for (const [field, value] of Object.entries(flatten(schema).properties)) {
        const described = resolve<JsonObject>(value)['description'];
        if (typeof described !== 'string') bare.push(`${name}.${field}`);
      }
    }
    expect(bare).toEqual([]);
  });

  test('an item that is not found is null for the methods that look one up, and for no other', () => {
    const nullable = document.methods.filter((method) => allowsNull(resultOf(method).schema));
    expect(nullable.map(({ name }) => name).toSorted()).toEqual(fields.nullable.toSorted());
  });

  test('an uncle has no transactions', () => {
    const validate = compilePointer('/components/schemas/UncleBlock/allOf/1');
    // Besu and Nethermind give an empty list.
    expect([{}, { transactions: [] }].map((uncle) => validate(uncle))).toEqual([true, true]);
    expect(validate({ transactions: [`0x${'ab'.repeat(32)}`] })).toBe(false);
  });

  test('a transaction has v, or yParity in its place', () => {
    const validate = compilePointer('/components/schemas/Transaction');
    const lacks = (transaction: object): boolean => {
      validate(transaction);
      return validate.errors!.some(({ keyword }) => keyword === 'anyOf');
    };
    expect(lacks({})).toBe(true);
    const parities = [{ v: '0x1b' }, { yParity: '0x0' }, { v: '0x0', yParity: '0x0' }];
    expect(parities.some(lacks)).toBe(false);
  });

  test('a receipt has root or status', () => {
    const shown = everyExample().find(
      ({ method, example }) =>
        method.name === 'eth_getTransactionReceipt' && isObject(example.result?.value),
    );
    const { status, ...receipt } = shown!.example.result!.value as JsonObject;
    const validate = compilePointer('/components/schemas/TransactionReceipt');
    expect(validate(receipt)).toBe(false);
    expect(validate({ ...receipt, status: status! })).toBe(true);
    expect(validate({ ...receipt, root: `0x${'ab'.repeat(32)}` })).toBe(true);
  });

  test('at most 4 filters are accepted', () => {
    const validate = compilePointer('/components/schemas/ProgramAccountsConfig');
    expect(validate({ filters: Array.from({ length: 4 }, () => ({ dataSize: 1 })) })).toBe(true);
    expect(validate({ filters: Array.from({ length: 5 }, () => ({ dataSize: 1 })) })).toBe(false);
  });

  test('the gas of the call object is capped at 10 times the block gas limit', () => {
    expect(
      resolvePointer(document, '/components/schemas/CallObject/properties/gas/x-gas-cap'),
    ).toEqual({ timesBlockGasLimit: 10 });
  });
});
