type Plain = Record<string, unknown>;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const hex = (digits: number) => ({
  type: 'string',
  pattern: `^0x(0|[1-9a-f][0-9a-f]{0,${digits}})$`,
});
const list = (name: string) => ({ type: 'array', items: ref(name) });

function object(properties: Plain, more: Plain = {}): Plain {
  return { type: 'object', properties, required: Object.keys(properties), ...more };
}

/** Members of a transaction by its version, besides those of its kind. */
const VERSIONS: Readonly<Record<string, Plain>> = {
  V0: { max_fee: ref('FELT'), signature: list('FELT') },
  V1: { max_fee: ref('FELT'), signature: list('FELT'), nonce: ref('FELT') },
  V2: { max_fee: ref('FELT'), signature: list('FELT'), nonce: ref('FELT'), hash: ref('FELT') },
  V3: {
    signature: list('FELT'),
    nonce: ref('FELT'),
    resource_bounds: ref('RESOURCE_BOUNDS_MAPPING'),
    tip: ref('U64'),
    paymaster_data: list('FELT'),
    nonce_data_availability_mode: { enum: ['L1', 'L2'] },
  },
};

const KINDS: Readonly<Record<string, Plain>> = {
  INVOKE: { sender_address: ref('ADDRESS'), calldata: list('FELT') },
  DECLARE: { sender_address: ref('ADDRESS'), class_hash: ref('FELT') },
  DEPLOY_ACCOUNT: { contract_address_salt: ref('FELT'), constructor_calldata: list('FELT') },
  L1_HANDLER: { contract_address: ref('ADDRESS'), entry_point_selector: ref('FELT') },
};

function transactions(): Plain {
  const kinds = Object.entries(KINDS).flatMap(([kind, own]) => [
    [
      `${kind}_TXN`,
      { oneOf: Object.keys(VERSIONS).map((version) => ref(`${kind}_TXN_${version}`)) },
    ],
    ...Object.entries(VERSIONS).map(([version, members]) => [
      `${kind}_TXN_${version}`,
      object({
        type: { type: 'string', enum: [kind] },
        version: { type: 'string', enum: [`0x${version[1]}`, `0x10000000${version[1]}`] },
        ...own,
        ...members,
      }),
    ]),
    [`${kind}_TXN_RECEIPT`, { allOf: [object({ type: { enum: [kind] } }), ref('RECEIPT')] }],
    [
      `${kind}_TRACE`,
      object({
        type: { enum: [kind] },
        invocation: { oneOf: [ref('INVOCATION'), object({ revert_reason: { type: 'string' } })] },
      }),
    ],
  ]);
  return Object.fromEntries(kinds) as Plain;
}

const allOf = (suffix: string) => ({
  oneOf: Object.keys(KINDS).map((kind) => ref(`${kind}${suffix}`)),
});

function block(name: string, content: Plain): Plain {
  return {
    [`BLOCK_${name}`]: {
      allOf: [object({ status: ref('BLOCK_STATUS') }), ref('BLOCK_HEADER'), ref(`BODY_${name}`)],
    },
    [`PENDING_BLOCK_${name}`]: { allOf: [ref(`BODY_${name}`), ref('PENDING_BLOCK_HEADER')] },
    [`BODY_${name}`]: object({ transactions: { type: 'array', items: content } }),
  };
}

const schemas: Plain = {
  FELT: hex(62),
  U64: hex(15),
  U128: hex(31),
  ADDRESS: { title: 'Address', allOf: [ref('FELT')] },
  RESOURCE_BOUNDS: object({ max_amount: ref('U64'), max_price_per_unit: ref('U128') }),
  RESOURCE_BOUNDS_MAPPING: object({
    l1_gas: ref('RESOURCE_BOUNDS'),
    l2_gas: ref('RESOURCE_BOUNDS'),
  }),
  ...transactions(),
  TXN: allOf('_TXN'),
  TXN_RECEIPT: allOf('_TXN_RECEIPT'),
  TRACE: allOf('_TRACE'),
  FEE: object({ amount: ref('FELT'), unit: { enum: ['WEI', 'FRI'] } }),
  EVENT: object({ from_address: ref('ADDRESS'), keys: list('FELT'), data: list('FELT') }),
  RECEIPT: {
    allOf: [
      object({
        transaction_hash: ref('FELT'),
        actual_fee: ref('FEE'),
        finality_status: { enum: ['ACCEPTED_ON_L2', 'ACCEPTED_ON_L1'] },
        events: list('EVENT'),
      }),
      {
        anyOf: [
          object({ execution_status: { const: 'SUCCEEDED' } }),
          object({ execution_status: { const: 'REVERTED' }, revert_reason: { type: 'string' } }),
        ],
      },
    ],
  },
  INVOCATION: {
    allOf: [
      object({ contract_address: ref('ADDRESS'), calldata: list('FELT') }),
      object({ call_type: { enum: ['CALL', 'DELEGATE'] }, calls: list('INVOCATION') }),
    ],
  },
  BLOCK_STATUS: { enum: ['PENDING', 'ACCEPTED_ON_L2', 'ACCEPTED_ON_L1', 'REJECTED'] },
  PRICE: object({ price_in_fri: ref('FELT'), price_in_wei: ref('FELT') }),
  PENDING_BLOCK_HEADER: object({ parent_hash: ref('FELT'), l1_gas_price: ref('PRICE') }),
  BLOCK_HEADER: object({
    block_hash: ref('FELT'),
    block_number: { type: 'integer', minimum: 0 },
    l1_gas_price: ref('PRICE'),
  }),
  BLOCK_ID: {
    oneOf: [
      object({ block_hash: ref('FELT') }),
      object({ block_number: { type: 'integer', minimum: 0 } }),
      { enum: ['latest', 'pending'] },
    ],
  },
  ...block('WITH_TXS', { allOf: [ref('TXN'), object({ transaction_hash: ref('FELT') })] }),
  ...block('WITH_RECEIPTS', object({ transaction: ref('TXN'), receipt: ref('TXN_RECEIPT') })),
};

function method(name: string, params: Plain, schema: Plain): Plain {
  return {
    name,
    params: Object.entries(params).map(([name, schema]) => ({ name, required: true, schema })),
    result: { name: 'result', schema },
  };
}

const pendingOr = (name: string) => ({
  oneOf: [ref(`BLOCK_${name}`), ref(`PENDING_BLOCK_${name}`)],
});

/** A document of nested unions whose variants are marked by constants, as those of blockchains are. */
export const unionDocument = {
  openrpc: '1.2.6',
  info: { title: 'Unions', version: '1.0.0' },
  methods: [
    method('block_with_txs', { block_id: ref('BLOCK_ID') }, pendingOr('WITH_TXS')),
    method('block_with_receipts', { block_id: ref('BLOCK_ID') }, pendingOr('WITH_RECEIPTS')),
    method('transaction', { hash: ref('FELT') }, { allOf: [ref('TXN')] }),
    method('receipt', { hash: ref('FELT') }, ref('TXN_RECEIPT')),
    method('estimate', { request: list('TXN'), block_id: ref('BLOCK_ID') }, list('FEE')),
    method(
      'simulate',
      { block_id: ref('BLOCK_ID'), transactions: list('TXN') },
      { type: 'array', items: object({ trace: ref('TRACE'), fee: ref('FEE') }) },
    ),
  ],
  components: { schemas },
};
