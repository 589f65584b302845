import { readContract, type ContractOptions } from '../../../generator/verify/contract.ts';
import { verify, type RunOptions, type Verified } from '../../../generator/verify/run.ts';
import { toLoaded } from '../../../bench/diff/document.ts';
import { createReference, type Change, type Steps } from '../../../bench/verify/reference.ts';
import { serveSteps, type Served } from '../../../bench/verify/serve.ts';

const errors = [
  [-32_700, 'parse_error', 400],
  [-32_600, 'invalid_request', 400],
  [-32_601, 'method_not_found', 200],
  [-32_602, 'invalid_params', 200],
  [401, 'key_missing', 401],
  [401, 'key_malformed', 401],
  [401, 'key_unknown', 401],
  [-32_010, 'closed', 503],
  [-32_603, 'internal_error', 500],
] as const;

const item = { id: '0x0a1b', price: 12, owner: '0x00ff' };

/** A document with everything that checks need. */
export const shop = {
  openrpc: '1.3.2',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [
    {
      name: 'main',
      url: 'http://{host}/v3/{key}',
      variables: { host: { default: '127.0.0.1' }, key: { default: 'demo' } },
    },
    {
      name: 'socket',
      url: 'ws://{host}/ws/v3/{key}',
      variables: { host: { default: '127.0.0.1' }, key: { default: 'demo' } },
    },
  ],
  'x-behavior': {
    batchOrder: 'request',
    costHeader: 'x-cost',
    usage: { path: '/usage', used: '/used' },
    keyVariable: 'key',
    nodeErrorCodes: [-32_603],
    finalizedBlock: { method: 'get_item', params: ['0x0a1b'], result: '/price' },
  },
  methods: [
    {
      name: 'get_item',
      'x-read-only': true,
      'x-credits': 5,
      // Prices stand in for numbers of blocks: items up to the price of 0x0a1b no longer change.
      'x-immutable': { block: { result: '/price' } },
      paramStructure: 'by-position',
      params: [
        { name: 'id', required: true, schema: { $ref: '#/components/schemas/Id' } },
        { name: 'currency', schema: { type: 'string', enum: ['eur', 'usd'], default: 'eur' } },
      ],
      result: {
        name: 'item',
        schema: { oneOf: [{ $ref: '#/components/schemas/Item' }, { type: 'null' }] },
      },
      errors: [{ $ref: '#/components/errors/closed' }],
      links: [{ name: 'owner', method: 'get_owner', params: { id: '${result.owner}' } }],
      examples: [
        {
          name: 'an item',
          params: [{ name: 'id', value: '0x0a1b' }],
          result: { name: 'item', value: item },
        },
        {
          name: 'no item',
          params: [{ name: 'id', value: '0x0000' }],
          result: { name: 'item', value: null },
        },
      ],
    },
    {
      name: 'get_owner',
      'x-read-only': true,
      'x-credits': 1,
      'x-immutable': true,
      paramStructure: 'by-position',
      params: [{ name: 'id', required: true, schema: { $ref: '#/components/schemas/Id' } }],
      result: {
        name: 'owner',
        schema: {
          type: ['object', 'null'],
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
      },
    },
    {
      name: 'put_item',
      params: [{ name: 'item', required: true, schema: { $ref: '#/components/schemas/Item' } }],
      result: { name: 'done', schema: { type: 'boolean' } },
    },
  ],
  components: {
    errors: Object.fromEntries(errors.map(([code, reason]) => [reason, { code, message: reason }])),
    schemas: {
      Id: { type: 'string', pattern: '^0x[0-9a-f]{4}$' },
      Item: {
        type: 'object',
        properties: {
          id: { $ref: '#/components/schemas/Id' },
          price: { type: 'integer', minimum: 1, maximum: 100 },
          owner: { $ref: '#/components/schemas/Id' },
        },
        required: ['id', 'price'],
      },
    },
  },
  'x-errors': errors.map(([code, reason, status]) => ({
    name: reason,
    error: reason,
    code,
    reason,
    origin: 'gateway',
    status,
    message: reason,
    charged: false,
    data: { type: 'object', properties: { reason: { const: reason } }, required: ['reason'] },
  })),
};

export interface Run {
  readonly verified: Verified;
  /** The messages that the server received. */
  readonly received: readonly string[];
}

export const DEFAULTS = { maxCalls: 1_500, timeout_ms: 2_000, seed: 'test' };

/** Serves the shop, with a change, until the end of the callback. */
export async function withShop<T>(change: Change, use: (served: Served) => Promise<T>): Promise<T> {
  const { model } = await toLoaded(shop);
  const contract = readContract(model, { writes: true });
  const paths = { http: '/v3/demo', ws: '/ws/v3/demo' };
  const served = await serveSteps(createReference(contract, [change]), { paths });
  try {
    return await use(served);
  } finally {
    await served.stop();
  }
}

/** Verifies a shop with a change. */
export function verifyShop(
  change: Change = () => ({}),
  options: Partial<RunOptions & ContractOptions> = {},
): Promise<Run> {
  const received: string[] = [];
  const recording: Change = (steps, contract): Partial<Steps> => {
    const changed = { ...steps, ...change(steps, contract) };
    return {
      ...change(steps, contract),
      message(incoming) {
        received.push(incoming.bytes.toString());
        return changed.message(incoming);
      },
    };
  };
  return withShop(recording, async ({ http, ws }) => {
    const { model } = await toLoaded(shop);
    const contract = readContract(model, { writes: false, ...options });
    const targets = { http: { url: http }, webSocket: { url: ws } };
    return { verified: await verify(contract, { ...DEFAULTS, ...targets, ...options }), received };
  });
}
