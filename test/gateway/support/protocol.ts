import { errors } from '../../../generated/errors.ts';
import type { MethodEntry, Protocol } from '../../../src/gateway/protocol.ts';
import type { Violation } from '../../../common/validators-runtime/violations.js';
import type { Validate } from '../../../src/rpc/call.ts';

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
    nullIfNotFound: false,
    immutable: null,
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
      params: [param('transaction'), { name: 'block', required: false, nullIsAbsent: true }],
      gasCaps: [{ pointer: '/0/gas', timesBlockGasLimit: 10 }],
      errors: ['ExecutionReverted'],
    }),
    eth_getReceipts: method('eth_getReceipts', {
      credits: 1000,
      params: [param('block')],
      normalize: [{ pointer: '/0', to: 'quantity', aliases: { pending: 'latest' } }],
      nullIfNotFound: true,
    }),
    eth_getProof: method('eth_getProof', { params: [param('address'), block] }),
    getAccounts: method('getAccounts', { family: 'svm', credits: 160, params: [param('address')] }),
  },
  serviceMethods: [
    { name: 'rpc.discover', family: null, source: 'document', summary: '' },
    { name: 'eth_chainId', family: 'evm', source: 'chain-id', summary: '' },
    { name: 'net_version', family: 'evm', source: 'network-id', summary: '' },
    { name: 'eth_blockNumber', family: 'evm', source: 'block-number', summary: '' },
    { name: 'web3_clientVersion', family: 'evm', source: 'client-version', summary: '' },
  ],
  validateParams: {
    eth_getBlock: validator([isText, isFlag], 2),
    eth_estimate: validator([isCall, isText], 1),
    eth_getReceipts: validator([isBlock], 1),
    eth_getProof: validator([isHex, isText], 1),
    getAccounts: validator([isText], 1),
  },
  errors,
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
