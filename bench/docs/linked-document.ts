/** Methods per tag: a section of the menu. */
const METHODS_PER_TAG = 40;

const SHARED_ERRORS = 6;

const reference = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/**
 * A document with one schema for the params and one for the result of each method. Results refer to each
 * other such that every result reaches all of them, as the types of a graph of resources do.
 */
export function linkedDocument(methodCount: number): string {
  const numbers = Array.from({ length: methodCount }, (_, index) => index);
  const resultAt = (index: number) => reference(`Resource${index % methodCount}`);
  const schemas = numbers.flatMap((index) => [
    [`Filter${index}`, filterSchema(index)],
    [`Resource${index}`, resourceSchema(index, resultAt)],
  ]);
  const errors = Array.from({ length: SHARED_ERRORS }, (_, index) => [
    `Error${index}`,
    { code: -32_000 - index, message: `error ${index}` },
  ]);
  return JSON.stringify({
    openrpc: '1.3.2',
    info: { title: `${methodCount} linked methods`, version: '1.0.0' },
    servers: [{ name: 'main', url: 'https://rpc.example/' }],
    methods: numbers.map((index) => method(index)),
    components: {
      errors: Object.fromEntries(errors),
      schemas: {
        Hash: { title: 'Hash', type: 'string', pattern: '^0x[0-9a-f]{64}$' },
        Quantity: { title: 'Quantity', type: 'string', pattern: '^0x(?:0|[1-9a-f][0-9a-f]*)$' },
        ...Object.fromEntries(schemas),
      },
    },
  });
}

function method(index: number): object {
  const value = { id: `0x${'0'.repeat(64)}`, total: '0x1', name: `resource ${index}` };
  return {
    name: `area${Math.floor(index / METHODS_PER_TAG)}_getResource${index}`,
    summary: `Returns resource ${index}.`,
    description: `Finds resource ${index} by its filter. The result names the resources next to it.`,
    tags: [{ name: `area ${Math.floor(index / METHODS_PER_TAG)}` }],
    params: [{ name: 'filter', required: true, schema: reference(`Filter${index}`) }],
    result: { name: 'resource', schema: reference(`Resource${index}`) },
    errors: Array.from({ length: SHARED_ERRORS }, (_, error) => ({
      $ref: `#/components/errors/Error${error}`,
    })),
    examples: [
      {
        name: 'one resource',
        params: [{ name: 'filter', value: { id: value.id } }],
        result: { name: 'resource', value },
      },
    ],
  };
}

function filterSchema(index: number): object {
  return {
    title: `Filter ${index}`,
    type: 'object',
    required: ['id'],
    properties: {
      id: { ...reference('Hash') },
      from: { ...reference('Quantity') },
      order: { type: 'string', enum: ['ascending', 'descending'], description: 'Order of items.' },
    },
  };
}

function resourceSchema(index: number, resultAt: (index: number) => object): object {
  return {
    title: `Resource ${index}`,
    description: `Resource number ${index} of the service.`,
    type: 'object',
    required: ['id', 'total', 'name'],
    properties: {
      id: { ...reference('Hash') },
      total: { ...reference('Quantity') },
      name: { type: 'string', maxLength: 80, description: 'Name shown to people.' },
      next: resultAt(index + 1),
      parts: { type: 'array', items: resultAt(2 * index + 1) },
      owner: resultAt(3 * index + 2),
    },
  };
}
