/** A document with a bit of everything that can change. */
const position = { $ref: '#/components/schemas/Position' };

export const richDocument = {
  openrpc: '1.3.2',
  info: { title: 'Rich', version: '1.4.0', description: 'Everything, a bit.' },
  servers: [
    {
      name: 'main',
      url: 'https://{region}.example.org/rpc',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
    },
    { name: 'second', url: 'https://rpc.example.org' },
  ],
  'x-plans': [
    { name: 'free', creditsPerDay: 1000, callsPerSecond: 5, forwarding: false },
    { name: 'team', creditsPerDay: 50_000, callsPerSecond: 100, forwarding: true },
  ],
  'x-limits': { requestBytes: 1_048_576, batchCalls: 100 },
  methods: [
    {
      name: 'moves.list',
      summary: 'Lists moves.',
      paramStructure: 'by-position',
      'x-credits': 10,
      'x-stability': 'stable',
      'x-network-family': 'evm',
      'x-forwarding': { partner: true },
      'x-transports': { supported: ['http', 'websocket'], documented: ['http'] },
      params: [
        { name: 'from', required: true, schema: position },
        {
          name: 'filter',
          required: true,
          schema: {
            type: 'object',
            required: ['kind'],
            properties: {
              kind: { type: 'string', enum: ['all', 'legal', 'captures'] },
              limit: { type: 'integer', minimum: 1, maximum: 100 },
              tags: { type: 'array', items: { type: 'string', maxLength: 20 }, maxItems: 8 },
            },
            additionalProperties: false,
          },
        },
        { name: 'page', required: false, schema: { type: 'integer', minimum: 0, default: 0 } },
      ],
      result: {
        name: 'moves',
        schema: { type: 'array', items: { $ref: '#/components/schemas/Move' }, maxItems: 256 },
      },
      errors: [{ $ref: '#/components/errors/NotFound' }],
      examples: [
        {
          name: 'a start',
          params: [{ name: 'from', value: 'e2' }],
          result: { name: 'moves', value: [] },
        },
      ],
    },
    {
      name: 'trees.get',
      paramStructure: 'by-name',
      params: [
        { name: 'id', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{8}$' } },
        { name: 'depth', required: false, schema: { type: 'integer', minimum: 0, maximum: 9 } },
        {
          name: 'as',
          required: false,
          schema: {
            oneOf: [
              { type: 'null' },
              { type: 'string', enum: ['text', 'json'] },
              { type: 'object', required: ['indent'], properties: { indent: { type: 'integer' } } },
            ],
          },
        },
      ],
      result: { name: 'tree', schema: { $ref: '#/components/schemas/Tree' } },
      deprecated: true,
      'x-sunset': '2098-12-31',
    },
    {
      name: 'log',
      paramStructure: 'either',
      params: [{ name: 'line', required: true, schema: { type: 'string', maxLength: 1000 } }],
    },
    {
      name: 'score',
      paramStructure: 'by-position',
      params: [
        {
          name: 'pair',
          required: true,
          schema: {
            type: 'array',
            items: [{ type: 'number', multipleOf: 0.5 }, { type: ['string', 'null'] }],
            additionalItems: false,
            minItems: 2,
          },
        },
      ],
      result: {
        name: 'score',
        schema: {
          anyOf: [
            { type: 'number', minimum: 0, maximum: 1 },
            { type: 'string', enum: ['unknown', 'draw'] },
          ],
        },
      },
      errors: [{ code: -32010, message: 'no such game' }],
    },
  ],
  components: {
    schemas: {
      Position: { type: 'string', pattern: '^[a-h][1-8]$' },
      Move: {
        type: 'object',
        required: ['from', 'to'],
        properties: {
          from: position,
          to: position,
          promotes: { type: ['string', 'null'], enum: ['queen', 'rook', null] },
          note: { type: 'string' },
        },
      },
      Tree: {
        type: 'object',
        required: ['label'],
        properties: {
          label: { type: 'string', minLength: 1, maxLength: 40 },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
    },
    errors: { NotFound: { code: -32001, message: 'not found' } },
  },
  'x-errors': [
    {
      name: 'Busy',
      code: -32005,
      reason: 'busy',
      status: 429,
      message: 'busy',
      charged: false,
      retryable: true,
      cause: 'Too many calls.',
      fix: 'Wait.',
    },
  ],
} as const;
