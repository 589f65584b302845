import type { ErrorRow } from '../../../src/errors/catalog.ts';
import { gatewayReasons, type GatewayReason } from '../../../src/errors/catalog.ts';
import type { MethodEntry, Protocol } from '../../../src/gateway/protocol.ts';
import type { Violation } from '../../../common/validators-runtime/violations.js';
import type { Validate } from '../../../src/rpc/call.ts';

/** The expected code and HTTP status of every gateway error. */
export const expected: Readonly<Record<GatewayReason, readonly [code: number, status: number]>> = {
  parse_error: [-32700, 400],
  invalid_request: [-32600, 400],
  request_too_large: [-32600, 413],
  batch_too_large: [-32600, 413],
  http_method_not_allowed: [-32600, 405],
  unsupported_media_type: [-32600, 415],
  unknown_path: [-32600, 404],
  unknown_host: [-32600, 404],
  http_malformed: [-32600, 400],
  http_headers_too_large: [-32600, 431],
  http_request_timeout: [-32600, 408],
  method_not_found: [-32601, 200],
  invalid_params: [-32602, 200],
  key_missing: [401, 401],
  key_malformed: [401, 401],
  key_unknown: [401, 401],
  key_expired: [401, 401],
  key_revoked: [401, 401],
  account_suspended: [401, 401],
  method_not_allowed: [403, 403],
  network_not_allowed: [403, 403],
  origin_not_allowed: [403, 403],
  contract_not_allowed: [403, 403],
  credits_exhausted: [402, 402],
  rate_limited: [-32005, 429],
  too_many_calls_in_flight: [-32005, 429],
  too_many_connections: [-32005, 429],
  response_too_large: [-32003, 200],
  upstream_timeout: [-32603, 504],
  no_upstream: [-32603, 503],
  invalid_upstream_response: [-32603, 502],
  store_unavailable: [-32603, 503],
  shutting_down: [-32603, 503],
  internal_error: [-32603, 500],
};

const messages: Partial<Record<GatewayReason, string>> = {
  method_not_found: 'the method {method} does not exist/is not available',
  invalid_params: 'invalid params: {detail}',
};

function rows(): Record<string, ErrorRow> {
  const table: Record<string, ErrorRow> = {};
  for (const reason of gatewayReasons) {
    const [code, status] = expected[reason];
    const message = messages[reason] ?? reason.replaceAll('_', ' ');
    table[reason] = {
      code,
      reason,
      origin: 'gateway',
      status,
      message,
      charged: false,
      fix: 'Do better.',
    };
  }
  const node = { origin: 'node', status: 200, charged: true, fix: null };
  const detail = '{detail}';
  table['Reverted'] = {
    ...node,
    code: 3,
    reason: 'execution_reverted',
    message: `execution reverted: ${detail}`,
  };
  table['NodeError'] = { ...node, code: -32000, reason: 'node_error', message: detail };
  return table;
}

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === 'string';
const isHex: Check = (value) => typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value);
const isFlag: Check = (value) => typeof value === 'boolean';
const isCall: Check = (value) => typeof value === 'object' && value !== null;
const isBlock: Check = (value) => isText(value) || Number.isInteger(value);

function violation(pointer: string, param: string | null): Violation {
  const message = `${param ?? 'the array'} is not as it should be`;
  return { pointer, param, keyword: 'type', expected: 'another value', message };
}

/** A validator as the generated ones behave: required first, then each by its check. */
function validator(checks: readonly Check[], required: number): Validate {
  return (value) => {
    const params = value as unknown[];
    if (params.length < required || params.length > checks.length) return [violation('', null)];
    return params.flatMap((param, index) =>
      checks[index]!(param) ? [] : [violation(`/${index}`, `param${index}`)],
    );
  };
}

function method(name: string, entry: Partial<MethodEntry>): MethodEntry {
  return {
    name,
    credits: 80,
    family: 'evm',
    summary: `Answers ${name}.`,
    stability: 'stable',
    deprecated: false,
    deprecatedSince: null,
    sunset: null,
    docs: null,
    params: [],
    forwarding: false,
    gasCaps: [],
    normalize: [],
    nullMembers: [],
    blocks: [],
    notFound: [],
    errors: [],
    ...entry,
  };
}

const param = (name: string): { name: string; required: true } => ({ name, required: true });
const block = { name: 'block', required: false, default: 'latest' };

/** A small protocol with every behavior that a document can ask of the gateway. */
export const protocol: Protocol = {
  methods: {
    eth_getBlock: method('eth_getBlock', { params: [param('block'), param('details')] }),
    eth_estimate: method('eth_estimate', {
      credits: 300,
      params: [param('transaction'), { name: 'block', required: false }],
      gasCaps: [{ pointer: '/0/gas', timesBlockGasLimit: 10 }],
      errors: ['Reverted'],
    }),
    eth_getReceipts: method('eth_getReceipts', {
      credits: 1000,
      params: [param('block')],
      normalize: [{ pointer: '/0', to: 'quantity', aliases: { pending: 'latest' } }],
      notFound: [{ code: -32602, message: '^BlockOutOfRange' }],
    }),
    eth_getProof: method('eth_getProof', { params: [param('address'), block] }),
    getAccounts: method('getAccounts', { family: 'svm', credits: 160, params: [param('address')] }),
  },
  serviceMethods: [
    { name: 'rpc.discover', family: null, answer: 'document', summary: '' },
    { name: 'eth_chainId', family: 'evm', answer: 'chain-id', summary: '' },
    { name: 'net_version', family: 'evm', answer: 'network-id', summary: '' },
    { name: 'eth_blockNumber', family: 'evm', answer: 'block-number', summary: '' },
    { name: 'web3_clientVersion', family: 'evm', answer: 'client-version', summary: '' },
  ],
  validateParams: {
    eth_getBlock: validator([isText, isFlag], 2),
    eth_estimate: validator([isCall, isText], 1),
    eth_getReceipts: validator([isBlock], 1),
    eth_getProof: validator([isHex, isText], 1),
    getAccounts: validator([isText], 1),
  },
  errors: rows(),
  plans: [
    { name: 'free', creditsPerDay: 10_000, callsPerSecond: 25, forwarding: false },
    { name: 'custom', creditsPerDay: null, callsPerSecond: null, forwarding: true },
  ],
  limits: { requestBytes: 1_048_576, batchCalls: 1_000 },
  validateResult: {},
  title: 'A small service',
  version: '3.0.0',
  document: '{"openrpc":"1.3.2","info":{"title":"A small service","version":"3.0.0"},"methods":[]}',
};
